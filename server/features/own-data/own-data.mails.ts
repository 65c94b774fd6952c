import type { Brand } from '#contracts/brand.ts'
import { exportDays, graceDays } from '#contracts/limits.ts'
import { composeMail, type Mail } from '#server/kernel/mail.ts'

export type OwnDataNews = 'export-ready' | 'deletion-asked' | 'deletion-soon' | 'deletion-canceled'

type Parts = { brand: Brand; publicUrl: string; to: string; dueAt: Date | null }

const dayOf = (date: Date | null) => date?.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' }) ?? ''

/** Discreet, like all mail about an account. The file is never attached. */
export function ownDataMail(about: OwnDataNews, { brand, publicUrl, to, dueAt }: Parts): Mail {
  const mail = (subject: string, paragraphs: string[]) => composeMail(brand, to, subject, paragraphs)
  const settings = `${publicUrl}/settings#data`
  const signIn = `${publicUrl}/auth`
  switch (about) {
    case 'export-ready':
      return mail('your data is ready', [
        `The file with everything stored about you is ready. Download it here within ${exportDays} days:`,
        settings,
        "If this wasn't you, change your password.",
      ])
    case 'deletion-asked':
      return mail('your account will be deleted', [
        `Your account will be deleted on ${dayOf(dueAt)}. Your profile is hidden, and you're signed out on all devices.`,
        `You can keep it for ${graceDays} days: sign in, and choose to keep your account.`,
        signIn,
        "If this wasn't you, sign in, keep your account, and change your password.",
      ])
    case 'deletion-soon':
      return mail('your account will be deleted soon', [
        `Your account will be deleted on ${dayOf(dueAt)}. Until then you can keep it: sign in, and choose to keep your account.`,
        signIn,
      ])
    case 'deletion-canceled':
      return mail('your account will not be deleted', [
        'You kept your account, and your profile is back as it was. Canceled payments stay canceled.',
        "If this wasn't you, change your password.",
      ])
  }
}

export const farewellMail = ({ brand, to }: Pick<Parts, 'brand' | 'to'>): Mail =>
  composeMail(brand, to, 'your account was deleted', [
    'Your account was deleted, with everything in it. This is our last email to you.',
    'Backup copies are deleted when they expire.',
  ])
