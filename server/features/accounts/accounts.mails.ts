import type { Brand } from '../../../contracts/brand.ts'
import type { Mail } from '../../kernel/mail.ts'

/**
 * What we mail about an account. Discreet: subject and text show on locked phones and in shared mailboxes, so they say
 * nothing of what the site is about. Links are made of PUBLIC_URL alone, never of what a request's headers claim.
 */

type Parts = { brand: Brand; publicUrl: string; to: string }

const pageLink = (publicUrl: string, path: string, token: string) => `${publicUrl}${path}?${new URLSearchParams({ token })}`

function mail({ brand, to }: Parts, subject: string, paragraphs: string[]): Mail {
  return { to, subject: `${brand.name}: ${subject}`, text: `${[...paragraphs, `${brand.name} · ${brand.supportEmail}`].join('\n\n')}\n` }
}

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

export function passwordChangedMail(parts: Parts): Mail {
  return mail(parts, 'your password was changed', [
    'The password of your account was just changed, and every device was signed out.',
    `If this was not you, set a new password at ${parts.publicUrl}/auth and write to ${parts.brand.supportEmail}.`,
  ])
}
