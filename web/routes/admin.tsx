import { createFileRoute } from '@tanstack/react-router'
import { AdminScreen } from '../features/admin/admin-screen.tsx'
import { type AdminSearch, readAdminSearch } from '../features/admin/admin-search.ts'
import { readLater } from '../lib/search-params.ts'

export const Route = createFileRoute('/admin')({ validateSearch: readLater<AdminSearch>, component: Admin })

function Admin() {
  return <AdminScreen search={readAdminSearch(Route.useSearch())} />
}
