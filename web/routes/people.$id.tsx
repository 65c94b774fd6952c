import { createFileRoute } from '@tanstack/react-router'
import { PersonScreen } from '#web/screens/people/person-screen.tsx'

export const Route = createFileRoute('/people/$id')({ component: Person })

function Person() {
  const { id } = Route.useParams()
  return <PersonScreen key={id} id={id} />
}
