/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Which activity a list holds: all conditions apply. */
export type ActivityFilter = {
  /** Only what happened to this contact. */
  contactId?: string | null | undefined;
  /** Only what happened at or after this moment. */
  from?: string | null | undefined;
  /** Only what happened before this moment. */
  to?: string | null | undefined;
  /** Only these types, such as `email.opened`. Event names such as `email.open` are accepted too. */
  types?: Array<string> | null | undefined;
};

/** Which contacts a list holds: all conditions apply. */
export type ContactFilter = {
  /** A part of the address, in upper or lower case; `%` and `_` are not wildcards. */
  search?: string | null | undefined;
  /** Only contacts that are, or are not, subscribed. */
  subscribed?: boolean | null | undefined;
};

export type CreateTemplateInput = {
  /** HTML with Liquid; values are escaped, `| raw` opts out. */
  body: string;
  /** For people, at most 500 characters. */
  description?: string | null | undefined;
  /** The sender; its domain must be verified in the project. */
  from: string;
  /** The sender’s name; null for none. */
  fromName?: string | null | undefined;
  /** One line of 1 to 100 characters. Default: the subject, cut to 100. */
  name?: string | null | undefined;
  /** Where answers go; null for the sender. */
  replyTo?: string | null | undefined;
  /** Liquid, one line of 1 to 998 characters (RFC 5322, 2.1.1). */
  subject: string;
  /** Default: MARKETING. */
  type?: MailType | null | undefined;
};

/** Which mails a list holds: all conditions apply. */
export type EmailFilter = {
  /** Only mails to this contact. */
  contactId?: string | null | undefined;
  /** Only mails in this state. */
  status?: EmailStatus | null | undefined;
};

/** What a mail was sent by. */
export type EmailSource =
  /** A campaign. */
  | 'CAMPAIGN'
  /** A call of sendEmail or POST /v1/send. */
  | 'TRANSACTIONAL'
  /** A step of a workflow. */
  | 'WORKFLOW';

/** Where a mail stands. `reason` says in a sentence why one did not leave. */
export type EmailStatus =
  /** The address refused it for good; later mail to it is suppressed. */
  | 'BOUNCED'
  /** It was cancelled before it left. */
  | 'CANCELLED'
  /** A link in it was followed. */
  | 'CLICKED'
  /** The recipient reported it as spam; later mail to it is suppressed. */
  | 'COMPLAINED'
  /** It is known to have reached the mailbox. */
  | 'DELIVERED'
  /** It could not be delivered within 24 hours, or could not be rendered. */
  | 'FAILED'
  /** It was opened, by a person as far as can be told. */
  | 'OPENED'
  /** Accepted and durable; waits for a worker, or for its next attempt. */
  | 'PENDING'
  /** The platform refused to send it. */
  | 'REJECTED'
  /** A worker is handing it over. */
  | 'SENDING'
  /** The receiving mail server has taken it. */
  | 'SENT'
  /** Withheld: the contact opted out, or the address bounced or complained before. */
  | 'SUPPRESSED';

/** Which events a list holds: all conditions apply. */
export type EventFilter = {
  /** Only events of this contact. */
  contactId?: string | null | undefined;
  /** Only events at or after this moment. */
  from?: string | null | undefined;
  /** Only events of this name. */
  name?: string | null | undefined;
  /** Only events before this moment. */
  to?: string | null | undefined;
};

/** What kind of mail it makes. */
export type MailType =
  /** Has no footer, and is withheld from contacts that opted out. */
  | 'HEADLESS'
  /** Has an unsubscribe footer and headers; withheld from contacts that opted out. */
  | 'MARKETING'
  /** Has neither, and reaches contacts that opted out of marketing. */
  | 'TRANSACTIONAL';

/** An address with the name shown beside it. */
export type MailboxInput = {
  /** An email address; trimmed and lower-cased. */
  email: string;
  /** Shown beside the address; not stored. */
  name?: string | null | undefined;
};

/** Listed as a file, or shown where the body links to its contentId. */
export type SendEmailAttachmentDisposition =
  | 'attachment'
  | 'inline';

export type SendEmailAttachmentInput = {
  /** The file in base64 (RFC 4648, 4). */
  content: string;
  /** For `cid:` links in the body; required when inline. */
  contentId?: string | null | undefined;
  contentType: string;
  /** Listed as a file, or shown where the body links to its contentId. */
  disposition?: SendEmailAttachmentDisposition | null | undefined;
  filename: string;
};

export type SendEmailInput = {
  /** At most 10, together at most 10 MB decoded by default. */
  attachments?: Array<SendEmailAttachmentInput> | null | undefined;
  /** Only with a single recipient; never shown to the others. */
  bcc?: Array<MailboxInput> | null | undefined;
  /** HTML; a Liquid template. Required without a template. */
  body?: string | null | undefined;
  /** Only with a single recipient; cc and bcc together at most 50. */
  cc?: Array<MailboxInput> | null | undefined;
  /** Custom fields, patched key by key: null deletes a key, an empty string is ignored, `{ "value": …, "persistent": false }` is used for this call only. Reserved keys are dropped. */
  data?: unknown;
  /** Sender on a verified domain. Required unless the template has one. */
  from?: MailboxInput | null | undefined;
  /** Extra headers, at most 50; values up to 998 characters without line breaks. */
  headers?: unknown;
  /** Sender name when `from` is a string; use `from.name`. */
  name?: string | null | undefined;
  /** Reply-to address. */
  reply?: string | null | undefined;
  /** 1 to 998 characters on one line; a Liquid template. Required without a template. */
  subject?: string | null | undefined;
  /** New contact: default false. Existing contact: omitted keeps the state; a change is logged. */
  subscribed?: boolean | null | undefined;
  /** Labels for your own use, at most 10. */
  tags?: Array<string> | null | undefined;
  /** Id of a template that supplies subject, body, from and reply-to; what is given here overrides it. */
  template?: string | null | undefined;
  /** Plain text part; made of the HTML when it is not given. */
  text?: string | null | undefined;
  /** 1 to 1,000 recipients; each gets a mail of its own. */
  to: Array<MailboxInput>;
  /** Opens and clicks of this mail; omitted: as the project is set. */
  tracking?: boolean | null | undefined;
};

/** Which templates a list holds: all conditions apply. */
export type TemplateFilter = {
  /** Part of the name, description or subject, in any case; `%` and `_` mean themselves. */
  search?: string | null | undefined;
  /** Only templates of this kind. */
  type?: MailType | null | undefined;
};

export type TrackEventInput = {
  /** Custom fields, patched key by key: null deletes a key, an empty string is ignored, `{ "value": …, "persistent": false }` is used for this call only. Reserved keys are dropped. */
  data?: unknown;
  /** An email address; trimmed and lower-cased. */
  email: string;
  /** The name of an event, 1 to 255 characters. */
  event: string;
  /** Whether marketing mail may be sent. With a public key it applies to new contacts only. Default: true for a new contact, unchanged for an existing one. */
  subscribed?: boolean | null | undefined;
};

/** Only what is sent changes; null empties fromName, replyTo and description. */
export type UpdateTemplateInput = {
  /** HTML with Liquid; values are escaped, `| raw` opts out. */
  body?: string | null | undefined;
  /** For people, at most 500 characters. */
  description?: string | null | undefined;
  /** The sender; its domain must be verified in the project. */
  from?: string | null | undefined;
  /** The sender’s name; null for none. */
  fromName?: string | null | undefined;
  /** One line of 1 to 100 characters. */
  name?: string | null | undefined;
  /** Where answers go; null for the sender. */
  replyTo?: string | null | undefined;
  /** Liquid, one line of 1 to 998 characters (RFC 5322, 2.1.1). */
  subject?: string | null | undefined;
  /** MARKETING has an unsubscribe footer and is withheld from contacts that opted out; TRANSACTIONAL has neither; HEADLESS has no footer but is withheld. */
  type?: MailType | null | undefined;
};

export type UpsertContactInput = {
  /** Custom fields, patched key by key: null deletes a key, an empty string is ignored, `{ "value": …, "persistent": false }` is used for this call only. Reserved keys are dropped. */
  data?: unknown;
  /** An email address; trimmed and lower-cased. */
  email: string;
  /** Whether marketing mail may be sent to the contact. Default: true for a new contact, unchanged for an existing one. */
  subscribed?: boolean | null | undefined;
};

export type UpsertMutationVariables = Exact<{
  input: UpsertContactInput;
}>;


export type UpsertMutation = { upsertContact: { isNew: boolean, contact: { id: string, email: string, subscribed: boolean, data: unknown, createdAt: string } } };

export type GetContactQueryVariables = Exact<{
  id: string;
}>;


export type GetContactQuery = { contact: { id: string, email: string } | null, node:
    | { __typename: 'Contact', id: string }
    | { __typename: 'Domain', id: string }
    | { __typename: 'Email', id: string }
    | { __typename: 'Event', id: string }
    | { __typename: 'Project', id: string }
    | { __typename: 'Template', id: string }
    | { __typename: 'Upload', id: string }
   | null };

export type ListContactsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: ContactFilter | null | undefined;
}>;


export type ListContactsQuery = { contacts: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ email: string }> } };

export type SendMutationVariables = Exact<{
  input: SendEmailInput;
  key?: string | null | undefined;
}>;


export type SendMutation = { sendEmail: { replayed: boolean, emails: Array<{ contact: { email: string, subscribed: boolean } | null, email: { id: string, status: EmailStatus, subject: string, source: EmailSource, contact: { id: string }, events: Array<{ name: string }> } | null }> } };

export type TrackMutationVariables = Exact<{
  input: TrackEventInput;
}>;


export type TrackMutation = { trackEvent: { contact: { email: string } | null, event: { id: string, name: string, data: unknown } | null } };

export type EverythingQueryVariables = Exact<{ [key: string]: never; }>;


export type EverythingQuery = { contacts: { nodes: Array<{ email: string, emails: { totalCount: number, nodes: Array<{ subject: string, contact: { email: string } }> }, events: { totalCount: number, edges: Array<{ cursor: string, node: { name: string, email: { id: string } | null, contact: { email: string } | null } }> } }> } };

export type CreateTemplateMutationVariables = Exact<{
  input: CreateTemplateInput;
}>;


export type CreateTemplateMutation = { createTemplate: { id: string, name: string, type: MailType, usage: { emailsSent: number } } };

export type UpdateTemplateMutationVariables = Exact<{
  id: string;
  input: UpdateTemplateInput;
}>;


export type UpdateTemplateMutation = { updateTemplate: { description: string | null, subject: string } };

export type DeleteContactMutationVariables = Exact<{
  id: string;
}>;


export type DeleteContactMutation = { deleteContact: string };

export type RegenerateKeysMutationVariables = Exact<{ [key: string]: never; }>;


export type RegenerateKeysMutation = { regenerateKeys: { public: string, secret: string } };

export type ListsQueryVariables = Exact<{
  contacts?: ContactFilter | null | undefined;
  events?: EventFilter | null | undefined;
  activity?: ActivityFilter | null | undefined;
  templates?: TemplateFilter | null | undefined;
}>;


export type ListsQuery = { contacts: { totalCount: number, nodes: Array<{ id: string }> }, events: { totalCount: number, nodes: Array<{ id: string }> }, activity: { totalCount: number, nodes: Array<{ id: string }> }, templates: { totalCount: number, nodes: Array<{ id: string }> } };

export type EmailsQueryVariables = Exact<{
  filter?: EmailFilter | null | undefined;
}>;


export type EmailsQuery = { emails: { totalCount: number, nodes: Array<{ id: string, subject: string }> } };

export type EventsOfQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type EventsOfQuery = { contacts: { nodes: Array<{ events: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ name: string }> } }> } };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}

export const UpsertDocument = new TypedDocumentString(`
    mutation Upsert($input: UpsertContactInput!) {
  upsertContact(input: $input) {
    isNew
    contact {
      id
      email
      subscribed
      data
      createdAt
    }
  }
}
    `) as unknown as TypedDocumentString<UpsertMutation, UpsertMutationVariables>;
export const GetContactDocument = new TypedDocumentString(`
    query GetContact($id: ID!) {
  contact(id: $id) {
    id
    email
  }
  node(id: $id) {
    __typename
    id
  }
}
    `) as unknown as TypedDocumentString<GetContactQuery, GetContactQueryVariables>;
export const ListContactsDocument = new TypedDocumentString(`
    query ListContacts($first: Int, $after: String, $last: Int, $before: String, $filter: ContactFilter) {
  contacts(
    first: $first
    after: $after
    last: $last
    before: $before
    filter: $filter
  ) {
    totalCount
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
    nodes {
      email
    }
  }
}
    `) as unknown as TypedDocumentString<ListContactsQuery, ListContactsQueryVariables>;
export const SendDocument = new TypedDocumentString(`
    mutation Send($input: SendEmailInput!, $key: String) {
  sendEmail(input: $input, idempotencyKey: $key) {
    replayed
    emails {
      contact {
        email
        subscribed
      }
      email {
        id
        status
        subject
        source
        contact {
          id
        }
        events {
          name
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SendMutation, SendMutationVariables>;
export const TrackDocument = new TypedDocumentString(`
    mutation Track($input: TrackEventInput!) {
  trackEvent(input: $input) {
    contact {
      email
    }
    event {
      id
      name
      data
    }
  }
}
    `) as unknown as TypedDocumentString<TrackMutation, TrackMutationVariables>;
export const EverythingDocument = new TypedDocumentString(`
    query Everything {
  contacts {
    nodes {
      email
      emails(first: 2) {
        totalCount
        nodes {
          subject
          contact {
            email
          }
        }
      }
      events(first: 2) {
        totalCount
        edges {
          cursor
          node {
            name
            email {
              id
            }
            contact {
              email
            }
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EverythingQuery, EverythingQueryVariables>;
export const CreateTemplateDocument = new TypedDocumentString(`
    mutation CreateTemplate($input: CreateTemplateInput!) {
  createTemplate(input: $input) {
    id
    name
    type
    usage {
      emailsSent
    }
  }
}
    `) as unknown as TypedDocumentString<CreateTemplateMutation, CreateTemplateMutationVariables>;
export const UpdateTemplateDocument = new TypedDocumentString(`
    mutation UpdateTemplate($id: ID!, $input: UpdateTemplateInput!) {
  updateTemplate(id: $id, input: $input) {
    description
    subject
  }
}
    `) as unknown as TypedDocumentString<UpdateTemplateMutation, UpdateTemplateMutationVariables>;
export const DeleteContactDocument = new TypedDocumentString(`
    mutation DeleteContact($id: ID!) {
  deleteContact(id: $id)
}
    `) as unknown as TypedDocumentString<DeleteContactMutation, DeleteContactMutationVariables>;
export const RegenerateKeysDocument = new TypedDocumentString(`
    mutation RegenerateKeys {
  regenerateKeys {
    public
    secret
  }
}
    `) as unknown as TypedDocumentString<RegenerateKeysMutation, RegenerateKeysMutationVariables>;
export const ListsDocument = new TypedDocumentString(`
    query Lists($contacts: ContactFilter, $events: EventFilter, $activity: ActivityFilter, $templates: TemplateFilter) {
  contacts(filter: $contacts) {
    totalCount
    nodes {
      id
    }
  }
  events(filter: $events) {
    totalCount
    nodes {
      id
    }
  }
  activity(filter: $activity) {
    totalCount
    nodes {
      id
    }
  }
  templates(filter: $templates) {
    totalCount
    nodes {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<ListsQuery, ListsQueryVariables>;
export const EmailsDocument = new TypedDocumentString(`
    query Emails($filter: EmailFilter) {
  emails(filter: $filter) {
    totalCount
    nodes {
      id
      subject
    }
  }
}
    `) as unknown as TypedDocumentString<EmailsQuery, EmailsQueryVariables>;
export const EventsOfDocument = new TypedDocumentString(`
    query EventsOf($first: Int, $after: String) {
  contacts {
    nodes {
      events(first: $first, after: $after) {
        totalCount
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          name
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EventsOfQuery, EventsOfQueryVariables>;