import { createFileRoute } from '@tanstack/react-router'
import RegisterScreen from '../features/registration/register-screen.tsx'
import { type SearchParams, textParam } from '../lib/search-params.ts'

/** `claim` is the slug of a listing that is one's own. */
const readSearch = ({ claim }: SearchParams): { claim?: string | undefined } => ({ claim: textParam(claim, 120) })

export const Route = createFileRoute('/business/register')({ validateSearch: readSearch, component: Register })

function Register() {
  return <RegisterScreen claim={Route.useSearch().claim} />
}
