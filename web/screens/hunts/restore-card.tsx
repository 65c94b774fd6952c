import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useId, useRef, useState } from 'react'
import { forgetAwaitedPhotos } from '#contracts/calls/archive-photos.ts'
import type { Hunt } from '#contracts/hunts.ts'
import { refreshHunts } from '#web/entities/hunts/hunts.api.ts'
import { FileInput } from '#web/entities/media/file-choice.tsx'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { counted, formatNumber } from '#web/lib/format.ts'
import { ZipProblem } from '#web/lib/read-zip.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { useRestoredFocus } from '#web/ui/focus.ts'
import { Progress } from '#web/ui/progress.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { openArchive, pauseRestoring, type Restoring, startRestoring, useRestoring } from './restore-photos.ts'

export function RestoreCard({ hunt }: { hunt: Hunt }) {
  const restoring = useRestoring(hunt.id)
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const card = useRestoredFocus<HTMLElement>(restoring?.status ?? 'missing', button)
  return (
    <Card asChild className="mt-4">
      <section aria-labelledby={id} {...card}>
        <CardBody className="grid gap-3">
          {restoring?.status === 'running' ? (
            <Running id={id} hunt={hunt} restoring={restoring} button={button} />
          ) : (
            <Missing id={id} hunt={hunt} restoring={restoring} button={button} />
          )}
        </CardBody>
      </section>
    </Card>
  )
}

type PartProps = {
  id: string
  hunt: Hunt
  /** Set to the main button, which gets the focus of the one it replaces. */
  button: RefObject<HTMLButtonElement | null>
}

function Running({ id, hunt, restoring: { restored, left, total }, button }: PartProps & { restoring: Restoring }) {
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 id={id} className="text-lg">
          Restoring photos
        </h2>
        <p className="text-muted text-sm tabular-nums">
          {total === 0 ? 'Starting...' : `${formatNumber(restored + left.length)} of ${formatNumber(total)}`}
        </p>
      </div>
      <Progress label="Photos processed" value={total === 0 ? undefined : restored + left.length} max={total} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-text text-muted text-sm">
          You can use the app in the meantime. If you close it, choose the archive again to continue.
        </p>
        <Button ref={button} variant="secondary" onClick={() => pauseRestoring(hunt.id)}>
          Pause
        </Button>
      </div>
    </>
  )
}

/** A longer list wouldn't help, because the reason is usually the same. */
const maxLines = 5

function Missing({ id, hunt, restoring, button }: PartProps & { restoring: Restoring | undefined }) {
  const client = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const { left = [] } = restoring ?? {}
  const shown = problem ?? restoring?.problem ?? null
  async function choose(file: File) {
    setProblem(null)
    try {
      await startRestoring(client, hunt.id, await openArchive(file))
    } catch (error) {
      setProblem(error instanceof ZipProblem ? error.message : messageOf(error))
    }
  }
  return (
    <>
      <h2 id={id} className="text-lg">
        {counted(hunt.photosAwaited, 'photo')} still missing
      </h2>
      <p className="max-w-text text-muted">
        They’re in the archive that this hunt was imported from. Choose it to continue. Photos that are already here won’t be uploaded
        again.
      </p>
      {shown && (
        <p role="alert" className="max-w-text text-clay">
          {shown}
        </p>
      )}
      {left.length > 0 && (
        <ul className="grid list-disc gap-1 pl-5 text-sm">
          {left.slice(0, maxLines).map(({ file, reason }) => (
            <li key={file} className="wrap-anywhere">
              {file}: {reason}
            </li>
          ))}
          {left.length > maxLines && <li>and {formatNumber(left.length - maxLines)} more</li>}
        </ul>
      )}
      <div className="flex flex-wrap gap-2">
        {restoring?.status === 'paused' && (
          <Button ref={button} className="min-h-12" onClick={() => void startRestoring(client, hunt.id, restoring.archive)}>
            Continue
          </Button>
        )}
        <Button
          ref={restoring?.status === 'paused' ? undefined : button}
          variant={restoring?.status === 'paused' ? 'secondary' : undefined}
          className="min-h-12"
          onClick={() => input.current?.click()}
        >
          Choose the archive
        </Button>
        <SkipPhotos hunt={hunt} />
      </div>
      <FileInput ref={input} accept=".zip,application/zip" label="Archive with photos" onFiles={([file]) => void choose(file)} />
    </>
  )
}

function SkipPhotos({ hunt }: { hunt: Hunt }) {
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const skipping = useMutation({
    mutationFn: () => call(forgetAwaitedPhotos, { params: { id: hunt.id } }),
    onSuccess: () => refreshHunts(client),
    onError: (error) => toast({ title: 'The photos couldn’t be skipped', description: messageOf(error), variant: 'destructive' }),
  })
  return (
    <>
      <Button variant="quiet" className="min-h-12" onClick={() => setOpen(true)}>
        Skip these photos
      </Button>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={`Skip ${counted(hunt.photosAwaited, 'photo')}?`}
        confirmText="Skip photos"
        pending={skipping.isPending}
        onConfirm={() => skipping.mutate()}
      >
        Nothing else in the hunt will change. To get these photos later, import the archive again.
      </ConfirmDialog>
    </>
  )
}
