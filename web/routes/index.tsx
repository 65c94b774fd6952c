import { createFileRoute } from '@tanstack/react-router'
import { HomeScreen } from '#web/screens/home/home-screen.tsx'
import { readHomeSearch } from '#web/screens/home/home-search.ts'

export const Route = createFileRoute('/')({ validateSearch: readHomeSearch, component: Home })

function Home() {
  return <HomeScreen search={Route.useSearch()} />
}
