import type { ReportReason, ReportSubject } from '../../../contracts/reports.ts'

/** How the thing is called in a sentence. */
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
}

type ReasonWords = { reason: ReportReason; title: string; description: string }

/** The reasons, in the order in which they are asked: what endangers people first. */
export const reasonWords: readonly ReasonWords[] = [
  { reason: 'minors', title: 'Minors', description: 'Shows, addresses or sells to people under age' },
  { reason: 'intimate_image', title: 'Intimate picture', description: 'Shows somebody in private, without their consent' },
  { reason: 'illegal_sale', title: 'Illegal sale', description: 'Sells without a license, or where it is not allowed' },
  { reason: 'harassment', title: 'Harassment or hate', description: 'Attacks, threatens or demeans somebody' },
  { reason: 'health_claim', title: 'Health claim', description: 'Says that cannabis cures or treats something' },
  { reason: 'false_information', title: 'False or misleading', description: 'Untrue, invented, or pretends to be somebody else' },
  { reason: 'spam', title: 'Spam', description: 'Unwanted advertising, or the same again and again' },
  { reason: 'other', title: 'Something else', description: 'Tell us below what it is' },
]

/** A reason as one says it beside others: "Illegal sale". */
export const reasonTitle = (reason: ReportReason): string => reasonWords.find((words) => words.reason === reason)?.title ?? 'Something else'

/** What happens after a report, in the order in which it happens. */
export function whatFollows(subject: ReportSubject, reason: ReportReason): string[] {
  const isIntimate = reason === 'intimate_image'
  return [
    isIntimate
      ? 'A moderator decides within 48 hours. They see the picture only after choosing to, and if it is what you say, it is removed.'
      : 'A moderator looks at it, together with what stands around it, and decides.',
    subject === 'message'
      ? 'They read the message that you reported and the few around it, and nothing else of the conversation.'
      : 'If something is done, whoever it concerns learns what and why. They never learn who reported it.',
    ...(isIntimate ? ['If it is you who is shown, you can also write to us, so that we look for copies.'] : []),
  ]
}
