import { CircleAlert } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { rememberAskedFor } from './asked-for.ts'
import { openIdError } from './openid-error.ts'

/** Signing in at the operator's OpenID provider: a browser navigation, so that the provider can take over the page. */
export function OpenIdButton({ returnTo, provider }: { returnTo: string; provider: string }) {
  return (
    <div className="mb-5 grid gap-5">
      <Button asChild variant="secondary" size="lg">
        <a href={`/api/login?returnTo=${encodeURIComponent(returnTo)}`} onClick={() => rememberAskedFor(returnTo)}>
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
