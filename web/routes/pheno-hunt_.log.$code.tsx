import { createFileRoute } from '@tanstack/react-router'
import { ScannedLogScreen } from '#web/screens/hunts/scanned-log-screen.tsx'

export const Route = createFileRoute('/pheno-hunt_/log/$code')({ component: ScannedLog })

function ScannedLog() {
  const { code } = Route.useParams()
  return <ScannedLogScreen key={code} code={code} />
}
