/* eslint-disable */
import * as types from './graphql.ts';
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';

/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "query LiveCursor {\n  activityCursor\n}\n\nsubscription Live($after: String) {\n  activity(after: $after) {\n    cursor\n    id\n    type\n    timestamp\n    contactId\n    contactEmail\n    metadata\n    campaign {\n      id\n      name\n    }\n    email {\n      id\n      subject\n    }\n    execution {\n      id\n      workflow {\n        id\n        name\n      }\n    }\n  }\n}": typeof types.LiveCursorDocument,
    "query Session {\n  viewer {\n    id\n    email\n    emailVerified\n    projects(first: 100) {\n      nodes {\n        id\n        name\n        role\n        disabled\n      }\n    }\n    invitations {\n      id\n      projectName\n      role\n      expiresAt\n    }\n  }\n  config {\n    environment\n    signupsEnabled\n    verificationRequired\n    billingEnabled\n    oauthProviders\n    maxAttachmentBytes\n    maxImportBytes\n  }\n}\n\nmutation LogOut {\n  logOut {\n    success\n  }\n}": typeof types.SessionDocument,
    "mutation LogIn($input: LogInInput!) {\n  logIn(input: $input) {\n    user {\n      id\n    }\n  }\n}\n\nmutation SignUp($input: SignUpInput!) {\n  signUp(input: $input) {\n    user {\n      id\n    }\n  }\n}\n\nmutation RequestPasswordReset($input: RequestPasswordResetInput!) {\n  requestPasswordReset(input: $input) {\n    message\n  }\n}\n\nmutation RequestVerification {\n  requestVerification {\n    message\n  }\n}\n\nmutation CreateProject($input: CreateProjectInput!) {\n  createProject(input: $input) {\n    project {\n      id\n      name\n    }\n  }\n}\n\nmutation JoinProject($input: JoinProjectInput!) {\n  joinProject(input: $input) {\n    project {\n      id\n      name\n    }\n  }\n}": typeof types.LogInDocument,
    "query Home {\n  project {\n    id\n    setupState {\n      contactCount\n      hasVerifiedDomain\n      hasEnabledWorkflow\n      lastCampaignSentAt\n    }\n  }\n}": typeof types.HomeDocument,
};
const documents: Documents = {
    "query LiveCursor {\n  activityCursor\n}\n\nsubscription Live($after: String) {\n  activity(after: $after) {\n    cursor\n    id\n    type\n    timestamp\n    contactId\n    contactEmail\n    metadata\n    campaign {\n      id\n      name\n    }\n    email {\n      id\n      subject\n    }\n    execution {\n      id\n      workflow {\n        id\n        name\n      }\n    }\n  }\n}": types.LiveCursorDocument,
    "query Session {\n  viewer {\n    id\n    email\n    emailVerified\n    projects(first: 100) {\n      nodes {\n        id\n        name\n        role\n        disabled\n      }\n    }\n    invitations {\n      id\n      projectName\n      role\n      expiresAt\n    }\n  }\n  config {\n    environment\n    signupsEnabled\n    verificationRequired\n    billingEnabled\n    oauthProviders\n    maxAttachmentBytes\n    maxImportBytes\n  }\n}\n\nmutation LogOut {\n  logOut {\n    success\n  }\n}": types.SessionDocument,
    "mutation LogIn($input: LogInInput!) {\n  logIn(input: $input) {\n    user {\n      id\n    }\n  }\n}\n\nmutation SignUp($input: SignUpInput!) {\n  signUp(input: $input) {\n    user {\n      id\n    }\n  }\n}\n\nmutation RequestPasswordReset($input: RequestPasswordResetInput!) {\n  requestPasswordReset(input: $input) {\n    message\n  }\n}\n\nmutation RequestVerification {\n  requestVerification {\n    message\n  }\n}\n\nmutation CreateProject($input: CreateProjectInput!) {\n  createProject(input: $input) {\n    project {\n      id\n      name\n    }\n  }\n}\n\nmutation JoinProject($input: JoinProjectInput!) {\n  joinProject(input: $input) {\n    project {\n      id\n      name\n    }\n  }\n}": types.LogInDocument,
    "query Home {\n  project {\n    id\n    setupState {\n      contactCount\n      hasVerifiedDomain\n      hasEnabledWorkflow\n      lastCampaignSentAt\n    }\n  }\n}": types.HomeDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 *
 *
 * @example
 * ```ts
 * const query = graphql(`query GetUser($id: ID!) { user(id: $id) { name } }`);
 * ```
 *
 * The query argument is unknown!
 * Please regenerate the types.
 */
export function graphql(source: string): unknown;

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query LiveCursor {\n  activityCursor\n}\n\nsubscription Live($after: String) {\n  activity(after: $after) {\n    cursor\n    id\n    type\n    timestamp\n    contactId\n    contactEmail\n    metadata\n    campaign {\n      id\n      name\n    }\n    email {\n      id\n      subject\n    }\n    execution {\n      id\n      workflow {\n        id\n        name\n      }\n    }\n  }\n}"): (typeof documents)["query LiveCursor {\n  activityCursor\n}\n\nsubscription Live($after: String) {\n  activity(after: $after) {\n    cursor\n    id\n    type\n    timestamp\n    contactId\n    contactEmail\n    metadata\n    campaign {\n      id\n      name\n    }\n    email {\n      id\n      subject\n    }\n    execution {\n      id\n      workflow {\n        id\n        name\n      }\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query Session {\n  viewer {\n    id\n    email\n    emailVerified\n    projects(first: 100) {\n      nodes {\n        id\n        name\n        role\n        disabled\n      }\n    }\n    invitations {\n      id\n      projectName\n      role\n      expiresAt\n    }\n  }\n  config {\n    environment\n    signupsEnabled\n    verificationRequired\n    billingEnabled\n    oauthProviders\n    maxAttachmentBytes\n    maxImportBytes\n  }\n}\n\nmutation LogOut {\n  logOut {\n    success\n  }\n}"): (typeof documents)["query Session {\n  viewer {\n    id\n    email\n    emailVerified\n    projects(first: 100) {\n      nodes {\n        id\n        name\n        role\n        disabled\n      }\n    }\n    invitations {\n      id\n      projectName\n      role\n      expiresAt\n    }\n  }\n  config {\n    environment\n    signupsEnabled\n    verificationRequired\n    billingEnabled\n    oauthProviders\n    maxAttachmentBytes\n    maxImportBytes\n  }\n}\n\nmutation LogOut {\n  logOut {\n    success\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation LogIn($input: LogInInput!) {\n  logIn(input: $input) {\n    user {\n      id\n    }\n  }\n}\n\nmutation SignUp($input: SignUpInput!) {\n  signUp(input: $input) {\n    user {\n      id\n    }\n  }\n}\n\nmutation RequestPasswordReset($input: RequestPasswordResetInput!) {\n  requestPasswordReset(input: $input) {\n    message\n  }\n}\n\nmutation RequestVerification {\n  requestVerification {\n    message\n  }\n}\n\nmutation CreateProject($input: CreateProjectInput!) {\n  createProject(input: $input) {\n    project {\n      id\n      name\n    }\n  }\n}\n\nmutation JoinProject($input: JoinProjectInput!) {\n  joinProject(input: $input) {\n    project {\n      id\n      name\n    }\n  }\n}"): (typeof documents)["mutation LogIn($input: LogInInput!) {\n  logIn(input: $input) {\n    user {\n      id\n    }\n  }\n}\n\nmutation SignUp($input: SignUpInput!) {\n  signUp(input: $input) {\n    user {\n      id\n    }\n  }\n}\n\nmutation RequestPasswordReset($input: RequestPasswordResetInput!) {\n  requestPasswordReset(input: $input) {\n    message\n  }\n}\n\nmutation RequestVerification {\n  requestVerification {\n    message\n  }\n}\n\nmutation CreateProject($input: CreateProjectInput!) {\n  createProject(input: $input) {\n    project {\n      id\n      name\n    }\n  }\n}\n\nmutation JoinProject($input: JoinProjectInput!) {\n  joinProject(input: $input) {\n    project {\n      id\n      name\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query Home {\n  project {\n    id\n    setupState {\n      contactCount\n      hasVerifiedDomain\n      hasEnabledWorkflow\n      lastCampaignSentAt\n    }\n  }\n}"): (typeof documents)["query Home {\n  project {\n    id\n    setupState {\n      contactCount\n      hasVerifiedDomain\n      hasEnabledWorkflow\n      lastCampaignSentAt\n    }\n  }\n}"];

export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}

export type DocumentType<TDocumentNode extends DocumentNode<any, any>> = TDocumentNode extends DocumentNode<  infer TType,  any>  ? TType  : never;