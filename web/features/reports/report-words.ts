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
}

type ReasonWords = { reason: ReportReason; title: string; description: string }

/** The reasons, in the order in which they are asked: what endangers people first. */
export const reasonWords: readonly ReasonWords[] = [
  { reason: 'minors', title: 'Minors', description: 'Shows, addresses or sells to people under age' },
  { reason: 'illegal_sale', title: 'Illegal sale', description: 'Sells without a license, or where it is not allowed' },
  { reason: 'harassment', title: 'Harassment or hate', description: 'Attacks, threatens or demeans somebody' },
  { reason: 'intimate_image', title: 'Intimate picture', description: 'Shows somebody in private, without their consent' },
  { reason: 'health_claim', title: 'Health claim', description: 'Says that cannabis cures or treats something' },
  { reason: 'false_information', title: 'False or misleading', description: 'Untrue, invented, or pretends to be somebody else' },
  { reason: 'spam', title: 'Spam', description: 'Unwanted advertising, or the same again and again' },
  { reason: 'other', title: 'Something else', description: 'Tell us below what it is' },
]
