import { createFileRoute } from '@tanstack/react-router'
import { type SearchParams, textParam } from '#web/lib/search-params.ts'
import RegisterScreen from '#web/screens/registration/register-screen.tsx'

/** `claim` is the slug of the listing to claim. */
const readSearch = ({ claim }: SearchParams): { claim?: string | undefined } => ({ claim: textParam(claim, 120) })

export const Route = createFileRoute('/business/register')({ validateSearch: readSearch, component: Register })

function Register() {
  return <RegisterScreen claim={Route.useSearch().claim} />
}
