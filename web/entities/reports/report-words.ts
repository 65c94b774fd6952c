import type { ReportReason, ReportSubject } from '#contracts/reports.ts'

/** The content's name within a sentence. */
export const subjectWords: Record<ReportSubject, string> = {
  post: 'post',
  comment: 'comment',
  review: 'review',
  person: 'person',
  business: 'business',
  hunt: 'hunt',
  hunt_comment: 'comment',
  community: 'community',
  message: 'message',
  event: 'event',
  gallery_item: 'photo',
}

type ReasonWords = { reason: ReportReason; title: string; description: string }

/** Reasons in display order, most dangerous first. */
export const reasonWords: readonly ReasonWords[] = [
  { reason: 'minors', title: 'Minors', description: 'Shows, addresses or sells to minors' },
  { reason: 'intimate_image', title: 'Intimate picture', description: 'Shows someone in private, without their consent' },
  { reason: 'illegal_sale', title: 'Illegal sale', description: 'Sells without a license, or where it isn’t allowed' },
  { reason: 'harassment', title: 'Harassment or hate', description: 'Attacks, threatens or demeans someone' },
  { reason: 'health_claim', title: 'Health claim', description: 'Claims that cannabis cures or treats something' },
  { reason: 'false_information', title: 'False or misleading', description: 'Untrue, invented, or pretending to be someone else' },
  { reason: 'spam', title: 'Spam', description: 'Unwanted advertising or repeated content' },
  { reason: 'other', title: 'Something else', description: 'Describe it below' },
]

export const reasonTitle = (reason: ReportReason): string => reasonWords.find((words) => words.reason === reason)?.title ?? 'Something else'

export function whatFollows(subject: ReportSubject, reason: ReportReason): string[] {
  const isIntimate = reason === 'intimate_image'
  return [
    isIntimate
      ? 'A moderator decides within 48 hours. They see the picture only if they choose to. If your report is right, they remove it.'
      : 'A moderator reviews it in context and decides.',
    subject === 'message'
      ? 'They read only the message you reported and the few around it.'
      : 'If we act on it, the person affected learns what and why. They never learn who reported it.',
    ...(isIntimate ? ['If the picture shows you, you can also write to us so we can look for copies.'] : []),
  ]
}

export type ReportedWriter = { kind: 'person' | 'business'; id: string; name: string }
