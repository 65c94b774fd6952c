import type { Brand } from '../../../contracts/brand.ts'
import { composeMail } from '../../kernel/compose-mail.ts'
import type { Mail } from '../../kernel/mail.ts'

/**
 * What we mail about an account. Discreet: subject and text show on locked phones and in shared mailboxes, so they say
 * nothing of what the site is about. Links are made of PUBLIC_URL alone, never of what a request's headers claim.
 */

type Parts = { brand: Brand; publicUrl: string; to: string }

const pageLink = (publicUrl: string, path: string, token: string) => `${publicUrl}${path}?${new URLSearchParams({ token })}`

const mail = ({ brand, to }: Parts, subject: string, paragraphs: string[]): Mail => composeMail(brand, to, subject, paragraphs)

export function verificationMail(parts: Parts, token: string): Mail {
  return mail(parts, 'confirm your email address', [
    `Somebody, hopefully you, used this address for an account at ${parts.brand.name}. Open this link to confirm it:`,
    pageLink(parts.publicUrl, '/auth/verify', token),
    'The link works for 24 hours. If this was not you, do nothing: the address stays unconfirmed.',
  ])
}

export function resetMail(parts: Parts, token: string): Mail {
  return mail(parts, 'set a new password', [
    'Open this link to set a new password:',
    pageLink(parts.publicUrl, '/auth/reset', token),
    'The link works once, within an hour. If you did not ask for it, do nothing: your password stays as it is.',
  ])
}

export function existingAccountMail(parts: Parts): Mail {
  return mail(parts, 'you already have an account', [
    `Somebody, hopefully you, tried to make an account at ${parts.brand.name} with this address. You have one already, and nothing about it was changed. Sign in here:`,
    `${parts.publicUrl}/auth`,
    'If you have forgotten your password, you can set a new one there. If this was not you, do nothing.',
  ])
}

/** What became of somebody's second factor. */
export type FactorChange = 'on' | 'replaced' | 'off' | 'recovered' | 'renewed' | 'guessed' | 'reset'

const factorWords: Record<FactorChange, { subject: string; text: string }> = {
  on: { subject: 'your second factor is on', text: 'From now on, signing in asks for a code of your authenticator app.' },
  replaced: {
    subject: 'your second factor was changed',
    text: 'Signing in asks for a code of another authenticator app now. The old one and its recovery codes do not work any more.',
  },
  off: { subject: 'your second factor is off', text: 'Signing in asks for your password alone now.' },
  recovered: {
    subject: 'a recovery code was used',
    text: 'Somebody, hopefully you, signed in with one of your recovery codes. It is used up.',
  },
  renewed: { subject: 'you have new recovery codes', text: 'New recovery codes were made, and the old ones do not work any more.' },
  guessed: {
    subject: 'wrong codes were entered',
    text: 'Somebody who knows your password entered five wrong codes of your second factor. More are refused for a while.',
  },
  reset: {
    subject: 'your second factor is off',
    text: 'The operator of the site took the second factor off your account, and every device was signed out.',
  },
}

export function secondFactorMail(parts: Parts, change: FactorChange): Mail {
  const { subject, text } = factorWords[change]
  return mail(parts, subject, [
    text,
    `If this was not you, set a new password at ${parts.publicUrl}/auth and write to ${parts.brand.supportEmail}.`,
  ])
}

/** @param passkeys the names of those that still sign in, as the account's owner gave them */
export function passwordChangedMail(parts: Parts, passkeys: readonly string[]): Mail {
  const remaining = passkeys.length > 0 && [
    `These passkeys still sign in to your account: ${passkeys.join(', ')}. Remove any that you don't recognize:`,
    `${parts.publicUrl}/settings#sign-in`,
  ]
  return mail(parts, 'your password was changed', [
    'Your password was just changed, and all devices were signed out.',
    ...(remaining || []),
    `If this was not you, set a new password at ${parts.publicUrl}/auth and write to ${parts.brand.supportEmail}.`,
  ])
}

/** How signing in to an account has changed. */
export type SignInChange = 'password-changed' | 'passkey-added' | 'passkey-removed' | 'openid-connected' | 'openid-disconnected'

const signInWords: Record<SignInChange, { subject: string; text: string }> = {
  'password-changed': {
    subject: 'your password was changed',
    text: 'The password of your account was just changed in its settings, and every other device was signed out.',
  },
  'passkey-added': {
    subject: 'a passkey was added',
    text: 'A passkey was just added to your account. It signs in without your password, and counts as a second factor.',
  },
  'passkey-removed': {
    subject: 'a passkey was removed',
    text: 'A passkey was just removed from your account. It does not sign in any more.',
  },
  'openid-connected': {
    subject: 'an account was connected',
    text: 'An account of another site was just connected with yours. Whoever signs in there can sign in here, too.',
  },
  'openid-disconnected': {
    subject: 'an account was disconnected',
    text: 'The account of another site that was connected with yours was just disconnected. It does not sign in here any more.',
  },
}

export function signInMail(parts: Parts, change: SignInChange): Mail {
  const { subject, text } = signInWords[change]
  return mail(parts, subject, [
    text,
    `If this was not you, set a new password at ${parts.publicUrl}/auth/forgot, look through ${parts.publicUrl}/settings#sign-in and write to ${parts.brand.supportEmail}.`,
  ])
}

/** To the new address: opening the link is the change. */
export function newAddressMail(parts: Parts, token: string): Mail {
  return mail(parts, 'confirm your new email address', [
    `Somebody, hopefully you, wants to use this address for their account at ${parts.brand.name}. Open this link to confirm it:`,
    `${pageLink(parts.publicUrl, '/auth/verify', token)}&kind=new-email`,
    'The link works for 24 hours. If this was not you, do nothing: nothing changes.',
  ])
}

/** To the owner of an address that somebody else wants to use. */
export function takenAddressMail(parts: Parts): Mail {
  return mail(parts, 'this address has an account', [
    `Somebody wanted to use this address for another account at ${parts.brand.name}. It belongs to yours, and nothing about it was changed.`,
    'If this was you: sign in with this address, or give it up in the settings of this account first. If it was not you, do nothing.',
    `${parts.publicUrl}/auth`,
  ])
}

/** To the old address, when another one was asked for (`isDone` false) and when it counts. The link stops it or turns it back. */
export function oldAddressMail(parts: Parts, { token, isDone }: { token: string; isDone: boolean }): Mail {
  const link = `${pageLink(parts.publicUrl, '/auth/verify', token)}&kind=undo-email`
  if (isDone) {
    return mail(parts, 'your email address was changed', [
      `Your account at ${parts.brand.name} uses another email address now. If this was you, there is nothing to do.`,
      'If it was not, open this link within 7 days: your account has this address again, every device is signed out, and we mail you a link to set a new password.',
      link,
    ])
  }
  return mail(parts, 'somebody asked to change your email address', [
    `Somebody, hopefully you, asked to use another email address for your account at ${parts.brand.name}. It counts once the new address is confirmed.`,
    'If this was not you, open this link: the change is stopped, every device is signed out, and we mail you a link to set a new password.',
    link,
  ])
}
