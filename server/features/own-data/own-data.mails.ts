import type { Brand } from '../../../contracts/brand.ts'
import { exportDays, graceDays } from '../../../contracts/own-data.ts'
import { composeMail } from '../../kernel/compose-mail.ts'
import type { Mail } from '../../kernel/mail.ts'

export type OwnDataNews = 'export-ready' | 'deletion-asked' | 'deletion-soon' | 'deletion-canceled'

type Parts = { brand: Brand; publicUrl: string; to: string; dueAt: Date | null }

const dayOf = (date: Date | null) => date?.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' }) ?? ''

/** Discreet, like all mail about an account; a file is never attached. */
export function ownDataMail(about: OwnDataNews, { brand, publicUrl, to, dueAt }: Parts): Mail {
  const mail = (subject: string, paragraphs: string[]) => composeMail(brand, to, subject, paragraphs)
  const settings = `${publicUrl}/settings#data`
  const signIn = `${publicUrl}/auth`
  switch (about) {
    case 'export-ready':
      return mail('your data is ready', [
        `The file with what is stored about you is ready. It is kept for ${exportDays} days. Download it here:`,
        settings,
        'If you did not ask for it, somebody else uses your account: change your password.',
      ])
    case 'deletion-asked':
      return mail('your account is to be deleted', [
        `Your account is to be deleted on ${dayOf(dueAt)}. Nobody sees your profile any more, and you are signed out everywhere.`,
        `For ${graceDays} days you can keep it: sign in, and choose to keep your account.`,
        signIn,
        'If you did not ask for this, sign in, keep your account, and change your password.',
      ])
    case 'deletion-soon':
      return mail('your account is about to be deleted', [
        `Your account is to be deleted on ${dayOf(dueAt)}. Until then you can keep it: sign in, and choose to keep your account.`,
        signIn,
      ])
    case 'deletion-canceled':
      return mail('your account stays', [
        'Your account is not deleted after all, and your profile is as it was. Payments that were canceled stay canceled.',
        'If this was not you, change your password.',
      ])
  }
}

export const farewellMail = ({ brand, to }: Pick<Parts, 'brand' | 'to'>): Mail =>
  composeMail(brand, to, 'your account was deleted', [
    'Your account was deleted, with everything in it. This is the last mail you get from us.',
    'Copies that are kept against loss grow old and are thrown away with their time.',
  ])
