import { createFileRoute } from '@tanstack/react-router'
import { parseLater } from '#web/lib/search-params.ts'
import { AdminScreen } from '#web/screens/admin/admin-screen.tsx'
import { type AdminSearch, readAdminSearch } from '#web/screens/admin/admin-search.ts'

export const Route = createFileRoute('/admin')({ validateSearch: parseLater<AdminSearch>, component: Admin })

function Admin() {
  return <AdminScreen search={readAdminSearch(Route.useSearch())} />
}
