import { useQuery } from '@tanstack/react-query'
import type { GrowLog } from '../../../contracts/grow-logs.ts'
import { messageOf } from '../../lib/api-error.ts'
import { useUnits } from '../../lib/use-units.ts'
import { Ago } from '../../ui/ago.tsx'
import { Dialog, DialogContent } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { SkeletonGroup, SkeletonText } from '../../ui/skeleton.tsx'
import { versionsOptions } from './grow-logs.api.ts'
import { differences } from './log-words.ts'
import { nameOfLog } from './plant-names.ts'

type LogVersionsProps = { log: GrowLog; nameOf: (plantId: string) => string; isOpen: boolean; onOpenChange: (isOpen: boolean) => void }

/** What a log said before, who changed it, and when. */
export function LogVersions({ log, nameOf, isOpen, onOpenChange }: LogVersionsProps) {
  return (
    <Dialog open={isOpen} onOpenChange={onOpenChange}>
      <DialogContent title={`History of ${nameOfLog(log)}`} description="A correction keeps what it corrects." size="md">
        <Versions log={log} nameOf={nameOf} />
      </DialogContent>
    </Dialog>
  )
}

function Versions({ log, nameOf }: Pick<LogVersionsProps, 'log' | 'nameOf'>) {
  const units = useUnits()
  const versions = useQuery(versionsOptions(log.id))
  if (versions.isPending) {
    return (
      <SkeletonGroup label="Loading the history...">
        <SkeletonText lines={4} />
      </SkeletonGroup>
    )
  }
  if (!versions.data) {
    return (
      <ErrorState
        level={3}
        title="The history could not be loaded"
        description={messageOf(versions.error)}
        onRetry={() => void versions.refetch()}
        pending={versions.isFetching}
      />
    )
  }
  if (versions.data.length === 0) return <p className="text-muted">It still says what was written first.</p>
  return (
    <ol className="grid gap-4">
      {versions.data.map((version, nth) => (
        <li key={version.version} className="grid gap-1.5 border-line border-b pb-4 last:border-0 last:pb-0">
          <p className="text-muted text-sm">
            {version.changedBy?.name ?? 'Somebody who has left'} changed it <Ago at={version.changedAt} />
          </p>
          <ul className="grid gap-1">
            {differences(version, versions.data[nth - 1] ?? log, units, nameOf).map(({ label, before, after }) => (
              <li key={label}>
                {label} was <span className="font-medium">{before}</span>, now <span className="font-medium">{after}</span>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  )
}
