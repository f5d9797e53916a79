import { z } from 'zod'
import { flag } from './types.ts'

/** The settings of accounts: who may sign up, and with whom people sign in. */
export const accountSettings = {
  DISABLE_SIGNUPS: flag.default(false).describe('Refuses new accounts; people who were invited can still create one.'),
  REQUIRE_VERIFIED_EMAIL: flag
    .optional()
    .describe(
      'People must confirm their email address before they may do anything else, and common passwords are refused. Default: on in production with PLATFORM_FROM, for accounts from before it was set as well.',
    ),
  GITHUB_OAUTH_CLIENT: z
    .string()
    .min(1)
    .optional()
    .describe('Enables signing in with GitHub: the client id of your OAuth app. Its callback URL is PUBLIC_URL/oauth/github/callback.'),
  GITHUB_OAUTH_SECRET: z.string().min(1).optional().describe('The secret of GITHUB_OAUTH_CLIENT.'),
  GITHUB_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://github.com')
    .describe('Where people sign in with GitHub; another address for GitHub Enterprise.'),
  GITHUB_API_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://api.github.com')
    .describe('The API of GITHUB_URL; for GitHub Enterprise `https://HOST/api/v3`.'),
  GOOGLE_OAUTH_CLIENT: z
    .string()
    .min(1)
    .optional()
    .describe('Enables signing in with Google: the client id of your OAuth app. Its redirect URI is PUBLIC_URL/oauth/google/callback.'),
  GOOGLE_OAUTH_SECRET: z.string().min(1).optional().describe('The secret of GOOGLE_OAUTH_CLIENT.'),
  GOOGLE_ISSUER: z
    .url({ protocol: /^https?$/ })
    .default('https://accounts.google.com')
    .describe('OpenID issuer for signing in with Google; its endpoints are discovered at `/.well-known/openid-configuration` below it.'),
}
