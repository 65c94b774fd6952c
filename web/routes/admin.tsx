import { createFileRoute } from '@tanstack/react-router'
import { readLater } from '#web/lib/search-params.ts'
import { AdminScreen } from '#web/screens/admin/admin-screen.tsx'
import { type AdminSearch, readAdminSearch } from '#web/screens/admin/admin-search.ts'

export const Route = createFileRoute('/admin')({ validateSearch: readLater<AdminSearch>, component: Admin })

function Admin() {
  return <AdminScreen search={readAdminSearch(Route.useSearch())} />
}
