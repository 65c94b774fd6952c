/** What went wrong at the OpenID provider, by the code in `/auth?error=`; the way back from there cannot carry a sentence. */
export function openIdError(code: string, provider: string): string {
  switch (code) {
    case 'openid_unavailable':
      return `${provider} cannot be reached right now. Try again in a moment, or sign in with your email.`
    case 'access_denied':
      return `You stopped signing in with ${provider}. Try again, or sign in with your email.`
    case 'account_not_linked':
      return 'An account with this email exists. Sign in with its password.'
    case 'email_not_verified':
      return 'Confirm your email address with the link we mailed you, then sign in.'
    default:
      return `Signing in with ${provider} did not work. Try again, or sign in with your email.`
  }
}
