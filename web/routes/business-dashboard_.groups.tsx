import { createFileRoute } from '@tanstack/react-router'
import { myBusinessesOptions } from '#web/entities/businesses/businesses.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { textParam } from '#web/lib/search-params.ts'
import { GroupsScreen } from '#web/screens/groups/groups-screen.tsx'

export const Route = createFileRoute('/business-dashboard_/groups')({
  validateSearch: ({ group }: Record<string, unknown>): { group?: string | undefined } => ({ group: textParam(group, 40) }),
  loader: ({ context }) => prefetch(context, myBusinessesOptions),
  component: Page,
})

function Page() {
  const { group } = Route.useSearch()
  return <GroupsScreen wanted={group} />
}
