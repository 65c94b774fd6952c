import type { ReportReason } from '#contracts/moderation.rules.ts'
import type { ReportSubject } from '#contracts/moderation.ts'

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
  product: 'menu item',
}

export function whatFollows(subject: ReportSubject, reason: ReportReason): string[] {
  const isIntimate = reason === 'intimate_image'
  return [
    isIntimate
      ? 'A moderator decides within 48 hours. They see the picture only if they choose to. If your report is right, they remove it.'
      : 'A moderator reviews your report in context and decides.',
    subject === 'message'
      ? 'They read only the message you reported and the few around it.'
      : 'If we act on it, we tell the person affected what we did and why, but never who reported it.',
    ...(isIntimate ? ['If the picture shows you, you can also write to us so we can look for copies.'] : []),
  ]
}

export type ReportedWriter = { kind: 'person' | 'business'; id: string; name: string }
