import { createFileRoute } from '@tanstack/react-router'
import { businessOptions } from '#web/entities/businesses/businesses.api.ts'
import { claimOptions } from '#web/entities/claims/claims.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { type SearchParams, textParam } from '#web/lib/search-params.ts'
import RegisterScreen from '#web/screens/registration/register-screen.tsx'

/** `claim` is the slug of the listing to claim. */
const readSearch = ({ claim }: SearchParams): { claim?: string | undefined } => ({ claim: textParam(claim, 120) })

export const Route = createFileRoute('/business/register')({
  validateSearch: readSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps: { claim } }) => {
    if (claim !== undefined) prefetch(context, context.user ? claimOptions(claim) : businessOptions(claim))
  },
  component: Register,
})

function Register() {
  return <RegisterScreen claim={Route.useSearch().claim} />
}
