import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, Ellipsis, Flag, LogOut, Pencil, RotateCcw, Share2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { completeHunt, reopenHunt } from '#contracts/calls/hunts.ts'
import type { Hunt } from '#contracts/hunts.ts'
import { refreshHunts } from '#web/entities/hunts/hunts.api.ts'
import { useReport } from '#web/entities/reports/use-report.tsx'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { localDay } from '#web/lib/time-words.ts'
import { IconButton } from '#web/ui/button.tsx'
import { lazyDialog } from '#web/ui/lazy-overlays.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '#web/ui/menu.tsx'
import { toast } from '#web/ui/toast-store.ts'

const EditHuntDialog = lazyDialog(async () => (await import('./hunt-dialogs.tsx')).EditHuntDialog)
const ShareDialog = lazyDialog(async () => (await import('./hunt-dialogs.tsx')).ShareDialog)
const DeleteHuntDialog = lazyDialog(async () => (await import('./hunt-dialogs.tsx')).DeleteHuntDialog)
const LeaveHuntDialog = lazyDialog(async () => (await import('./hunt-dialogs.tsx')).LeaveHuntDialog)

type OpenDialog = 'edit' | 'share' | 'delete' | 'leave'

export function HuntMenu({ hunt, onGone }: { hunt: Hunt; onGone?: () => void }) {
  const client = useQueryClient()
  const report = useReport('hunt', hunt.id, { kind: 'person', ...hunt.owner })
  const [asked, setAsked] = useState<OpenDialog | null>(null)
  const { abilities, isActive, huntName } = hunt
  const completion = useMutation({
    mutationFn: () =>
      isActive
        ? call(completeHunt, { params: { id: hunt.id }, body: { completedOn: localDay() } })
        : call(reopenHunt, { params: { id: hunt.id } }),
    onSuccess: async () => {
      toast({ title: isActive ? 'Hunt completed' : 'Hunt reopened', description: huntName })
      await refreshHunts(client)
    },
    onError: (error) => toast({ title: 'Error', description: messageOf(error), variant: 'destructive' }),
  })
  const dialog = { hunt, open: true, onOpenChange: (open: boolean) => !open && setAsked(null) }
  if (!(abilities.write || abilities.leave || abilities.report)) return null
  return (
    <div className="relative z-1">
      <Menu>
        <MenuTrigger asChild>
          <IconButton label={`More actions for ${huntName}`} className="min-h-12 min-w-12">
            <Ellipsis aria-hidden="true" />
          </IconButton>
        </MenuTrigger>
        <MenuContent>
          {abilities.write && (
            <MenuItem onSelect={() => setAsked('edit')}>
              <Pencil aria-hidden="true" />
              Edit
            </MenuItem>
          )}
          {abilities.own && (
            <>
              <MenuItem onSelect={() => setAsked('share')}>
                <Share2 aria-hidden="true" />
                Share
              </MenuItem>
              <MenuItem onSelect={() => completion.mutate()}>
                {isActive ? <CircleCheck aria-hidden="true" /> : <RotateCcw aria-hidden="true" />}
                {isActive ? 'Complete' : 'Reopen'}
              </MenuItem>
            </>
          )}
          {abilities.leave && (
            <MenuItem onSelect={() => setAsked('leave')}>
              <LogOut aria-hidden="true" />
              Leave
            </MenuItem>
          )}
          {abilities.report && (
            <MenuItem onSelect={report.open}>
              <Flag aria-hidden="true" />
              Report
            </MenuItem>
          )}
          {abilities.own && (
            <MenuItem danger onSelect={() => setAsked('delete')}>
              <Trash2 aria-hidden="true" />
              Delete
            </MenuItem>
          )}
        </MenuContent>
      </Menu>
      {asked === 'edit' && <EditHuntDialog {...dialog} />}
      {asked === 'share' && <ShareDialog {...dialog} />}
      {asked === 'delete' && <DeleteHuntDialog {...dialog} onDeleted={() => onGone?.()} />}
      {asked === 'leave' && <LeaveHuntDialog {...dialog} onLeft={() => onGone?.()} />}
      {report.dialog}
    </div>
  )
}
