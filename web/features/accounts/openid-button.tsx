import { boot } from '../../lib/boot.ts'
import { Button } from '../../ui/button.tsx'

/** Signing in at the operator's OpenID provider: a browser navigation, so that the provider can take over the page. */
export function OpenIdButton({ returnTo }: { returnTo: string }) {
  if (!boot.openIdName) return null
  return (
    <div className="mb-5 grid gap-5">
      <Button asChild variant="secondary" size="lg">
        <a href={`/api/login?returnTo=${encodeURIComponent(returnTo)}`}>Continue with {boot.openIdName}</a>
      </Button>
      <p className="flex items-center gap-3 text-muted text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or with your email
      </p>
    </div>
  )
}
