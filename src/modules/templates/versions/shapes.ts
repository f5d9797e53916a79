import { z } from 'zod'

/** Who saved a version. */
export const VersionActorType = z.enum(['user', 'key', 'system'])

/** A version of a template, by its number. */
export const ByTemplateVersion = z.object({
  id: z.string().describe('Id of the template.'),
  no: z.int().min(1).max(2_147_483_647).describe('Number of the version.'),
})
/** A version of a template, by its number. */
export type ByTemplateVersion = z.output<typeof ByTemplateVersion>
