import type { NewPasskeyOptions, PasskeyAnswer, PasskeyOptions } from '../../contracts/sign-in.ts'
import { messageOf } from './api-error.ts'

/** Has the device make a passkey. The code for it is fetched now, and not before. */
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

/** Has the device show a passkey. */
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
  AbortError: 'This was stopped. Try again.',
  // Browsers say no more, so that a site learns nothing of a device.
  NotAllowedError: 'Nothing was confirmed: it was stopped, took too long, or there is no passkey for this site here.',
  InvalidStateError: 'This device has a passkey for your account already.',
  ConstraintError: 'This device cannot ask for a finger, a face or a PIN. Use another device or a password manager.',
  NotSupportedError: 'This device makes no passkeys that can be used here. Use another device or a password manager.',
  SecurityError: 'Passkeys do not work at this address of the site.',
}

/** What went wrong on the device, or in the call after it, for the person. */
export const passkeyProblem = (error: unknown): string =>
  (error instanceof Error && !('status' in error) && problems[error.name]) || messageOf(error)
