import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FilledJar, Panel } from '#contracts/blind-panels.ts'
import { listHiddenJars } from '#contracts/calls/blind-panels.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { counted } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogContent } from '#web/ui/dialog.tsx'
import { FormError } from '#web/ui/field.tsx'
import { refreshPanels } from './panels.api.ts'

/** Asks first, because the list can't be unseen. Only the person who fills the jars needs it. */
export function JarListDialog({ panel, onOpenChange }: { panel: Panel; onOpenChange: (open: boolean) => void }) {
  const client = useQueryClient()
  const [jars, setJars] = useState<readonly FilledJar[] | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isLoading, setLoading] = useState(false)

  async function show() {
    setLoading(true)
    setFailure(null)
    try {
      setJars(await call(listHiddenJars, { params: { id: panel.id } }))
    } catch (error) {
      setFailure(messageOf(error))
    }
    setLoading(false)
    await refreshPanels(client)
  }

  return (
    <Dialog open onOpenChange={onOpenChange}>
      <DialogContent
        title={`Jar list for ${panel.name}`}
        description={
          jars
            ? 'Fill each jar and put its name on it. Then close this list and give the phone back.'
            : 'If you’re tasting, hand the phone to someone who isn’t. The panel shows who opened the list.'
        }
        size="md"
        actions={
          <Button size="lg" pending={isLoading} onClick={() => (jars ? onOpenChange(false) : void show())}>
            {jars ? 'Done' : `Show ${counted(panel.jars.length, 'jar')}`}
          </Button>
        }
      >
        <FormError>{failure}</FormError>
        {jars && (
          <ul className="grid divide-y divide-line rounded-card border border-line">
            {jars.map(({ jarName, plant, cureDays }) => (
              <li key={jarName} className="flex min-h-12 flex-wrap items-center gap-x-4 px-4 py-2">
                <span className="w-16 font-mono font-semibold text-xl">{jarName}</span>
                <span className="font-medium tabular-nums wrap-anywhere">{[plant.name, plant.label].filter(Boolean).join(' ')}</span>
                {cureDays !== null && <span className="text-muted text-sm">cured {counted(cureDays, 'day')}</span>}
              </li>
            ))}
          </ul>
        )}
      </DialogContent>
    </Dialog>
  )
}
