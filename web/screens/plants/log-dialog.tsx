import type { Hunt } from '#contracts/hunts.ts'
import type { Genotype } from '#contracts/plants.ts'
import { plantsOf } from '#web/entities/grow-logs/plant-names.ts'
import { QuickLog } from '#web/entities/grow-logs/quick-log.tsx'
import { namesOf } from '#web/entities/plants/plant-writes.ts'
import { Dialog, DialogContent } from '#web/ui/dialog.tsx'

type LogDialogProps = { hunt: Hunt; genotypes: readonly Genotype[]; onOpenChange: (open: boolean) => void }

export function LogDialog({ hunt, genotypes, onOpenChange }: LogDialogProps) {
  const plants = plantsOf(genotypes, hunt.germinationDate)
  const first = plants.find(({ isAlive }) => isAlive) ?? plants[0]
  return (
    <Dialog open onOpenChange={onOpenChange}>
      <DialogContent title="Log" description={namesOf(genotypes)} size="lg">
        <QuickLog hunt={hunt} plants={plants} lastHeightOf={() => null} firstPlantId={first?.id ?? null} level={3} />
      </DialogContent>
    </Dialog>
  )
}
