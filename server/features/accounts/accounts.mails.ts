import { packPath } from '#contracts/addresses.ts'
import type { Brand } from '#contracts/brand.ts'
import { dayMs } from '#contracts/time.ts'
import { composeMail, type Mail } from '#server/kernel/mail.ts'

/**
 * Subject and text appear on lock screens and in shared mailboxes, so they never say what the site is about. Links are built only from
 * PUBLIC_URL, never from request headers.
 */

type Parts = { brand: Brand; publicUrl: string; to: string }

/** @param returnTo a page of this site, packed into the link because its path may reveal what the site is about */
const nextPage = (returnTo: string | null): Record<string, string> =>
  returnTo === null || returnTo === '/' ? {} : { next: packPath(returnTo) }

const pageLink = (publicUrl: string, path: string, token: string, more: Record<string, string> = {}) =>
  `${publicUrl}${path}?${new URLSearchParams({ token, ...more })}`

const mail = ({ brand, to }: Parts, subject: string, paragraphs: string[]): Mail => composeMail(brand, to, subject, paragraphs)

export function verificationMail(parts: Parts, token: string, returnTo: string | null): Mail {
  return mail(parts, 'confirm your email address', [
    `Confirm your email to finish setting up ${parts.brand.name}. Open this link:`,
    pageLink(parts.publicUrl, '/auth/verify', token, nextPage(returnTo)),
    'The link works for 24 hours. Didn’t sign up? Ignore this email.',
  ])
}

export function resetMail(parts: Parts, token: string, returnTo: string | null): Mail {
  return mail(parts, 'set a new password', [
    'Open this link to set a new password:',
    pageLink(parts.publicUrl, '/auth/reset', token, nextPage(returnTo)),
    'The link works once, within an hour. If you didn’t ask for it, ignore this email: your password won’t change.',
  ])
}

/** Asks for a new password, because someone without access to the address may have chosen the account's first one. */
export function unconfirmedAccountMail(parts: Parts, token: string, returnTo: string | null): Mail {
  return mail(parts, 'finish signing up', [
    `Someone, hopefully you, signed up at ${parts.brand.name} with this address more than once. Open this link to choose your password and confirm the address:`,
    pageLink(parts.publicUrl, '/auth/reset', token, nextPage(returnTo)),
    'The link works once, within an hour. Didn’t sign up? Ignore this email.',
  ])
}

export function existingAccountMail(parts: Parts): Mail {
  return mail(parts, 'you already have an account', [
    `Someone, hopefully you, tried to create an account at ${parts.brand.name} with this address. You already have one, and nothing about it has changed. Sign in here:`,
    `${parts.publicUrl}/auth`,
    'If you forgot your password, you can set a new one there. If this wasn’t you, ignore this email.',
  ])
}

const longDate = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** @param until when the address stops being reserved */
export function reservedAddressMail(parts: Parts, until: Date): Mail {
  // By the next day, the address is available in every time zone.
  const day = longDate.format(new Date(until.getTime() + dayMs))
  return mail(parts, 'this address isn’t available yet', [
    `Someone, hopefully you, tried to create an account at ${parts.brand.name} with this address. Until recently, it belonged to another account, so it can’t be used for a new one yet. Starting ${day}, you can sign up here:`,
    `${parts.publicUrl}/auth`,
    'To sign up now, use a different address. If this wasn’t you, ignore this email.',
  ])
}

export type FactorChange = 'on' | 'replaced' | 'off' | 'recovered' | 'renewed' | 'guessed' | 'reset'

const factorWords: Record<FactorChange, { subject: string; text: string }> = {
  on: { subject: 'your second factor is on', text: 'From now on, you’ll need a code from your authenticator app to sign in.' },
  replaced: {
    subject: 'your second factor was changed',
    text: 'You now need a code from a different authenticator app to sign in. The old one and its recovery codes no longer work.',
  },
  off: { subject: 'your second factor is off', text: 'You now need only your password to sign in.' },
  recovered: {
    subject: 'a recovery code was used',
    text: 'Someone, hopefully you, signed in with one of your recovery codes. It won’t work again.',
  },
  renewed: { subject: 'you have new recovery codes', text: 'New recovery codes were created, and the old ones no longer work.' },
  guessed: {
    subject: 'wrong codes were entered',
    text: 'Someone who signed in to your account entered five wrong codes for your second factor. We won’t accept more for a while.',
  },
  reset: {
    subject: 'your second factor is off',
    text: 'The site’s operator removed the second factor from your account and signed out all your devices.',
  },
}

export function secondFactorMail(parts: Parts, change: FactorChange): Mail {
  const { subject, text } = factorWords[change]
  return mail(parts, subject, [
    text,
    `If this wasn’t you, set a new password at ${parts.publicUrl}/auth/forgot and write to ${parts.brand.supportEmail}.`,
  ])
}

type Remaining = Record<'passkeys' | 'keys' | 'businessKeys', readonly string[]> & { removedOthers: boolean }

/** @param remaining names of the passkeys and API keys that still work, and whether the others were removed */
export function passwordChangedMail(parts: Parts, { passkeys, keys, businessKeys, removedOthers }: Remaining): Mail {
  const sentences = [
    ...(passkeys.length > 0 ? [`These passkeys can still sign in to your account: ${passkeys.join(', ')}.`] : []),
    ...(keys.length > 0 ? [`These API keys still work: ${keys.join(', ')}.`] : []),
  ]
  return mail(parts, 'your password was changed', [
    'Your password was just changed, and all devices were signed out.',
    ...(removedOthers
      ? ['This address wasn’t confirmed before, so we removed every other way into the account: passkeys, API keys and the second factor.']
      : []),
    ...(sentences.length > 0 ? [`${sentences.join(' ')} Remove any that you don’t recognize:`, `${parts.publicUrl}/settings#sign-in`] : []),
    ...(businessKeys.length > 0
      ? [
          `These API keys for your businesses still work: ${businessKeys.join(', ')}. Revoke any that you don’t recognize:`,
          `${parts.publicUrl}/business-dashboard/menu/connections`,
        ]
      : []),
    `If this wasn’t you, set a new password at ${parts.publicUrl}/auth/forgot and write to ${parts.brand.supportEmail}.`,
  ])
}

export type SignInChange =
  | 'password-changed'
  | 'passkey-added'
  | 'passkey-removed'
  | 'key-created'
  | 'business-key-created'
  | 'openid-connected'
  | 'openid-disconnected'

const signInWords: Record<SignInChange, { subject: string; text: string }> = {
  'password-changed': {
    subject: 'your password was changed',
    text: 'Your password was just changed in your account’s settings, and all other devices were signed out.',
  },
  'passkey-added': {
    subject: 'a passkey was added',
    text: 'A passkey was just added to your account. It signs you in without your password and counts as a second factor.',
  },
  'key-created': {
    subject: 'an API key was created',
    text: 'An API key was just created for your account. A program that has it can use parts of your account without your password.',
  },
  'business-key-created': {
    subject: 'an API key was created',
    text: 'An API key was just created for a business you manage. A program that has it can act for the business without your password.',
  },
  'passkey-removed': {
    subject: 'a passkey was removed',
    text: 'A passkey was just removed from your account. It can’t sign you in anymore.',
  },
  'openid-connected': {
    subject: 'an account was connected',
    text: 'An account on another site was just connected to yours. Anyone who can sign in there can also sign in here.',
  },
  'openid-disconnected': {
    subject: 'an account was disconnected',
    text: 'The account on another site that was connected to yours was just disconnected. It can’t sign you in here anymore.',
  },
}

export function signInMail(parts: Parts, change: SignInChange): Mail {
  const { subject, text } = signInWords[change]
  return mail(parts, subject, [
    text,
    `If this wasn’t you, set a new password at ${parts.publicUrl}/auth/forgot, check ${parts.publicUrl}/settings#sign-in and write to ${parts.brand.supportEmail}.`,
  ])
}

export function newAddressMail(parts: Parts, token: string): Mail {
  return mail(parts, 'confirm your new email address', [
    `Someone, hopefully you, wants to use this address for their account at ${parts.brand.name}. Open this link to confirm it:`,
    `${pageLink(parts.publicUrl, '/auth/verify', token)}&kind=new-email`,
    'The link works for 24 hours. If this wasn’t you, ignore this email: nothing will change.',
  ])
}

export function takenAddressMail(parts: Parts): Mail {
  return mail(parts, 'this address already has an account', [
    `Someone tried to use this address for another account at ${parts.brand.name}. It’s already your account’s address, and nothing about your account has changed.`,
    'If this was you, sign in with this address, or change the address of this account in its settings first. If it wasn’t you, ignore this email.',
    `${parts.publicUrl}/auth`,
  ])
}

/** Sent to the old address when a change is requested (`isDone` false) and when it takes effect. The link stops or undoes it. */
export function oldAddressMail(parts: Parts, { token, isDone }: { token: string; isDone: boolean }): Mail {
  const link = `${pageLink(parts.publicUrl, '/auth/verify', token)}&kind=undo-email`
  if (isDone) {
    return mail(parts, 'your email address was changed', [
      `Your account at ${parts.brand.name} now uses a different email address. If this was you, there’s nothing to do.`,
      'If it wasn’t, open this link within 7 days. We’ll restore this address, sign out all devices and email you a link to set a new password.',
      link,
    ])
  }
  return mail(parts, 'someone asked to change your email address', [
    `Someone, hopefully you, asked to use a different email address for your account at ${parts.brand.name}. The change takes effect once the new address is confirmed.`,
    'If this wasn’t you, open this link. We’ll stop the change, sign out all devices and email you a link to set a new password.',
    link,
  ])
}
