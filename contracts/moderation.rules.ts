type Description = {
  title: string
  /** Shown in the report dialog. */
  description: string
  /** The rule in plain English, for the author. A moderator's explanation starts with it. */
  explanation: string
  /** A case shows the most serious reason among its reports. */
  gravity: number
  /** A legal matter rather than a community rule, so community moderators don't see the case. */
  isForSite: boolean
}

/** In display order. */
const descriptions = {
  minors: {
    title: 'Minors',
    description: 'Shows minors, targets them or sells to them',
    explanation: 'It shows or targets minors, or could appeal to them. That isn’t allowed here.',
    gravity: 6,
    isForSite: true,
  },
  intimate_image: {
    title: 'Intimate picture',
    description: 'Shows someone in an intimate situation without their consent',
    explanation: 'It shows someone in an intimate situation without their consent.',
    gravity: 7,
    isForSite: true,
  },
  illegal_sale: {
    title: 'Illegal sale',
    description: 'Sells without a license, or where it isn’t allowed',
    explanation: 'It offers or asks for a sale. Nothing is sold here, publicly or by message.',
    gravity: 5,
    isForSite: true,
  },
  harassment: {
    title: 'Harassment or hate',
    description: 'Attacks, threatens or demeans someone',
    explanation: 'It attacks or demeans someone. Challenge ideas, not people.',
    gravity: 4,
    isForSite: false,
  },
  health_claim: {
    title: 'Health claim',
    description: 'Claims that cannabis cures or treats something',
    explanation: 'It claims that cannabis treats, prevents or cures something. Health claims aren’t allowed here.',
    gravity: 3,
    isForSite: false,
  },
  false_information: {
    title: 'False or misleading',
    description: 'Untrue, invented or pretending to be someone else',
    explanation: 'It makes a false statement about a person, a business or a product.',
    gravity: 2,
    isForSite: false,
  },
  spam: {
    title: 'Spam',
    description: 'Unwanted advertising or repeated content',
    explanation: 'It’s unwanted advertising or repeated content.',
    gravity: 1,
    isForSite: false,
  },
  other: { title: 'Something else', description: 'Describe it below', explanation: '', gravity: 0, isForSite: false },
} as const satisfies Record<string, Description>

export type ReportReason = keyof typeof descriptions
export const reportReasons = Object.keys(descriptions) as ReportReason[]

export const reasonOf = (reason: ReportReason): Description => descriptions[reason]

/**
 * - `approve`: makes the content visible
 * - `dismiss`: the report is unfounded, so nothing changes
 * - `hide`: only the author, or the business's team, and moderators can still see the content
 * - `remove`: only moderators can still see it; a business, community, hunt or menu item stays open to its owner or team
 * - `warn`, `mute`, `suspend`, `ban`: apply to the person; a mute or ban by a community moderator applies only in the community
 */
export const moderationActions = ['approve', 'dismiss', 'hide', 'remove', 'warn', 'mute', 'suspend', 'ban'] as const

/** Subjects that have no title of their own and show that of their post or hunt. */
export const untitled: readonly string[] = ['comment', 'hunt_comment']

export const explainedActions: readonly (typeof moderationActions)[number][] = ['hide', 'remove', 'warn', 'mute', 'suspend', 'ban']

export const decisionReasons = [...reportReasons, 'community_rules' as const]
