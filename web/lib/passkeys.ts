import type { NewPasskeyOptions, PasskeyAnswer, PasskeyOptions } from '#contracts/sign-in.ts'
import { messageOf } from './api-error.ts'

export async function makePasskey(optionsJSON: NewPasskeyOptions) {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const made = await startRegistration({ optionsJSON: optionsJSON as Parameters<typeof startRegistration>[0]['optionsJSON'] })
  const { clientDataJSON, attestationObject, transports } = made.response
  return {
    id: made.id,
    rawId: made.rawId,
    type: made.type,
    response: { clientDataJSON, attestationObject, ...(transports ? { transports: transports.slice(0, 10) } : {}) },
  }
}

export async function askForPasskey(optionsJSON: PasskeyOptions): Promise<PasskeyAnswer> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const shown = await startAuthentication({ optionsJSON: optionsJSON as Parameters<typeof startAuthentication>[0]['optionsJSON'] })
  const { clientDataJSON, authenticatorData, signature, userHandle } = shown.response
  return {
    id: shown.id,
    rawId: shown.rawId,
    type: shown.type,
    response: { clientDataJSON, authenticatorData, signature, ...(userHandle === undefined ? {} : { userHandle }) },
  }
}

const problems: Record<string, string> = {
  AbortError: 'The passkey request was canceled. Try again.',
  // To protect privacy, browsers don't reveal which of these happened.
  NotAllowedError: 'Nothing was confirmed. You canceled, it timed out, or this device has no passkey for this site.',
  InvalidStateError: 'This device already has a passkey for your account.',
  ConstraintError: 'This device can’t check a fingerprint, a face or a PIN. Use another device or a password manager.',
  NotSupportedError: 'This device’s passkeys don’t work here. Use another device or a password manager.',
  SecurityError: 'Passkeys don’t work at this web address. Open the site at its usual address and try again.',
}

export const passkeyProblem = (error: unknown): string =>
  (error instanceof Error && !('status' in error) && problems[error.name]) || messageOf(error)
