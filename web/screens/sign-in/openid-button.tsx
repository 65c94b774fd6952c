import { CircleAlert } from 'lucide-react'
import { saveReturnTo } from '#web/entities/accounts/asked-for.ts'
import { Button } from '#web/ui/button.tsx'

/** A full navigation, because the operator's OpenID provider takes over the page. */
export function OpenIdButton({ returnTo, provider }: { returnTo: string; provider: string }) {
  return (
    <div className="mb-5 grid gap-5">
      <Button asChild variant="secondary" size="lg">
        <a href={`/api/login?returnTo=${encodeURIComponent(returnTo)}`} onClick={() => saveReturnTo(returnTo)}>
          Continue with {provider}
        </a>
      </Button>
      <p className="flex items-center gap-3 text-muted text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or with your email
      </p>
    </div>
  )
}

export function OpenIdError({ code, provider }: { code: string; provider: string }) {
  return (
    <p role="alert" className="mb-5 flex gap-2.5 rounded-input bg-clay-soft px-4 py-3 text-clay">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
      {openIdError(code, provider)}
    </p>
  )
}

/** The redirect can't contain a sentence, so `/auth?error=` has a code. */
function openIdError(code: string, provider: string): string {
  switch (code) {
    case 'openid_unavailable':
      return `${provider} can’t be reached right now. Try again in a moment, or sign in with your email.`
    case 'access_denied':
      return `You canceled sign-in with ${provider}. Try again, or sign in with your email.`
    case 'account_not_linked':
      return 'An account with this email already exists. Sign in with its password.'
    case 'email_not_verified':
      return 'Confirm your email address with the link we emailed you, then sign in.'
    default:
      return `Signing in with ${provider} didn’t work. Try again, or sign in with your email.`
  }
}
