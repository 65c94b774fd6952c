import { createFileRoute } from '@tanstack/react-router'
import { AdminScreen } from '../features/admin/admin-screen.tsx'
import { readAdminSearch } from '../features/admin/admin-search.ts'

export const Route = createFileRoute('/admin')({ validateSearch: readAdminSearch, component: Admin })

function Admin() {
  return <AdminScreen tab={Route.useSearch().tab ?? 'claims'} />
}
