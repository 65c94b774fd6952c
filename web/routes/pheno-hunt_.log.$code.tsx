import { createFileRoute } from '@tanstack/react-router'
import { plantByCodeOptions } from '#web/entities/plants/plants.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { ScannedLogScreen } from '#web/screens/hunts/scanned-log-screen.tsx'

export const Route = createFileRoute('/pheno-hunt_/log/$code')({
  loader: ({ context, params }) => prefetch(context, plantByCodeOptions(params.code)),
  component: ScannedLog,
})

function ScannedLog() {
  const { code } = Route.useParams()
  return <ScannedLogScreen key={code} code={code} />
}
