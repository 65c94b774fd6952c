import type { GuideLink } from '#contracts/guide.endpoints.ts'
import type { Found } from './find-records.ts'

/** What the guide found, or the one line that says what it doesn't know. */
export type Finding =
  | {
      lead: string
      found: Found[]
      /** The lists behind the answer, with the filters that it used. */
      more: GuideLink[]
      /** It tells where the person is, or how to reach someone, so a language model doesn't get it. */
      isPrivate: boolean
    }
  | { unknown: string; more: GuideLink[] }
