import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, FileArchive, FileJson, FileSpreadsheet, Stamp } from 'lucide-react'
import { useId, useState } from 'react'
import { measureHuntPhotos } from '#contracts/calls/archive-photos.ts'
import { listHuntProofs, proveHunt } from '#contracts/calls/hunt-archive.ts'
import { archiveTables } from '#contracts/choices.ts'
import type { ArchiveTable, HuntProof } from '#contracts/hunt-archive.endpoints.ts'
import type { Hunt } from '#contracts/hunts.ts'
import { maxArchiveBytes } from '#contracts/limits.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call, callOptions, refreshCalls } from '#web/lib/call.ts'
import { counted, dateFormat, formatBytes, formatNumber } from '#web/lib/format.ts'
import { alwaysCurrent, othersChange } from '#web/lib/query-client.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { SkeletonGroup, SkeletonText } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { ImportHuntButton } from './import-hunt-button.tsx'

const tableNames: Record<ArchiveTable, string> = {
  plants: 'Plants',
  'grow-logs': 'Grow logs',
  scores: 'Scores',
  harvests: 'Harvests',
  'lab-results': 'Lab results',
  decisions: 'Decisions',
}

/** Only people who can edit the hunt can export it. */
export function ArchiveSection({ hunt }: { hunt: Hunt }) {
  const id = useId()
  const [hasNames, setNames] = useState(false)
  if (!hunt.abilities.write) {
    return (
      <EmptyState
        level={3}
        title="For people who can edit this hunt"
        description="An export includes details hidden from others, such as earlier versions of logs."
      />
    )
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-2">
      <Card asChild>
        <section aria-labelledby={`${id}-whole`}>
          <CardBody className="grid gap-3">
            <h3 id={`${id}-whole`} className="flex items-center gap-2 text-lg">
              <FileJson aria-hidden="true" className="size-5 text-leaf" />
              The whole hunt
            </h3>
            <p className="max-w-text">
              One JSON file with every plant, log, score, harvest, lab result, decision, run and reading, including corrections, or a ZIP
              file that also includes the photos. Import either one here or elsewhere to recreate the hunt.
            </p>
            <p className="max-w-text text-muted text-sm">
              Sensor readings are left out if the JSON file would be larger than {formatBytes(maxArchiveBytes)} with them. Save them as CSV
              under Climate, one sensor at a time, and import those files into the recreated hunt.
            </p>
            <p className="max-w-text text-muted text-sm">
              Not included: open blind panels, label codes, comments and who the hunt is shared with. Scorers and testers are numbered, so
              you can still tell their scores apart. See the format under{' '}
              <a className={textLink} href="/api/docs">
                API
              </a>
              , “Hunt archive”.
            </p>
            <Checkbox
              checked={hasNames}
              onChange={(event) => setNames(event.target.checked)}
              hint="For your own backup. An imported hunt shows the names without linking them to accounts."
            >
              Include the names of scorers and testers
            </Checkbox>
            <div className="flex flex-wrap gap-2 pt-1">
              <Button asChild className="min-h-12">
                <a href={`${exportAddress(hunt.id)}${namesQuery(hasNames)}`} download>
                  <Download aria-hidden="true" />
                  Export as JSON
                </a>
              </Button>
              <PhotoExportButton hunt={hunt} hasNames={hasNames} />
              <ImportHuntButton variant="secondary" />
            </div>
          </CardBody>
        </section>
      </Card>
      <Card asChild>
        <section aria-labelledby={`${id}-tables`}>
          <CardBody className="grid gap-3">
            <h3 id={`${id}-tables`} className="flex items-center gap-2 text-lg">
              <FileSpreadsheet aria-hidden="true" className="size-5 text-leaf" />
              Tables
            </h3>
            <p className="max-w-text">One CSV file each, for use in a spreadsheet. Values are in cm, g, °C and %.</p>
            <ul className="grid gap-2 sm:grid-cols-2">
              {archiveTables.map((table) => (
                <li key={table}>
                  <Button asChild variant="secondary" className="w-full justify-start">
                    <a href={tableAddress(hunt.id, table)} download>
                      <Download aria-hidden="true" />
                      {tableNames[table]}
                    </a>
                  </Button>
                </li>
              ))}
            </ul>
          </CardBody>
        </section>
      </Card>
      <ProofsCard hunt={hunt} />
    </div>
  )
}

/** Shows the size first, because a hunt may have gigabytes of photos, and growers may pay for mobile data. */
function PhotoExportButton({ hunt, hasNames }: { hunt: Hunt; hasNames: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const { data, error, refetch, isFetching } = useQuery({
    ...callOptions(measureHuntPhotos, { params: { id: hunt.id } }),
    ...alwaysCurrent,
    enabled: isOpen,
  })
  return (
    <>
      <Button variant="secondary" className="min-h-12" onClick={() => setOpen(true)}>
        <FileArchive aria-hidden="true" />
        Export with photos
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen}>
        <DialogContent
          title="Export with photos"
          actions={
            <>
              <DialogCancel />
              {data && data.photoCount > 0 && (
                <Button asChild>
                  <a href={`${photoExportAddress(hunt.id)}${namesQuery(hasNames)}`} download onClick={() => setOpen(false)}>
                    <Download aria-hidden="true" />
                    Download
                  </a>
                </Button>
              )}
            </>
          }
        >
          <div role="status" className="grid gap-2">
            {data ? (
              <PhotoExportFacts {...data} />
            ) : error ? (
              <LoadError level={3} title="The photos couldn’t be counted" query={{ error, refetch, isFetching }} />
            ) : (
              <SkeletonGroup label="Counting the photos...">
                <SkeletonText lines={2} />
              </SkeletonGroup>
            )}
          </div>
        </DialogContent>
      </Dialog>
    </>
  )
}

function PhotoExportFacts({ photoCount, byteSize }: { photoCount: number; byteSize: number }) {
  if (photoCount === 0) return <p>This hunt has no photos yet. “Export as JSON” includes everything.</p>
  return (
    <>
      <p className="font-medium">
        {counted(photoCount, 'photo')}, {formatBytes(byteSize)}
      </p>
      <p className="text-muted">
        The ZIP file contains the hunt and the photos from its logs and scores, named by day and plant. Photos are the size shown here, at
        most 1,600 pixels wide, without location or camera data.
      </p>
    </>
  )
}

function ProofsCard({ hunt }: { hunt: Hunt }) {
  const client = useQueryClient()
  const id = useId()
  const { data: proofs, error, refetch, isFetching } = useQuery(proofsOptions(hunt.id))
  const proving = useMutation({
    mutationFn: () => call(proveHunt, { params: { id: hunt.id } }),
    onSuccess: async (proof) => {
      const isOld = proofs?.some((each) => each.id === proof.id)
      await refreshCalls(client, [listHuntProofs])
      toast(isOld ? { title: 'Nothing has changed since the last proof' } : { title: 'Proof saved' })
    },
    onError: (failure) => toast({ title: 'The proof couldn’t be saved', description: messageOf(failure), variant: 'destructive' }),
  })
  return (
    <Card asChild className="lg:col-span-2">
      <section aria-labelledby={`${id}-title`}>
        <CardBody className="grid gap-3">
          <h3 id={`${id}-title`} className="flex items-center gap-2 text-lg">
            <Stamp aria-hidden="true" className="size-5 text-leaf" />
            Proof of date
          </h3>
          <p className="max-w-text">
            Saves the hunt’s fingerprint (SHA-256) and the time in a tamper-evident log. Export the hunt at the same time and keep the file.
            Anyone who has the file can check here that it existed on that day, without learning anything else.
          </p>
          <p className="max-w-text text-muted text-sm">
            The proof depends on trusting this server. For stronger proof, have a time-stamping authority or a notary stamp the fingerprint,
            too.
          </p>
          {hunt.abilities.own && (
            <div>
              <Button variant="secondary" pending={proving.isPending} onClick={() => proving.mutate()}>
                Save a proof dated today
              </Button>
            </div>
          )}
          {proofs ? (
            <Proofs proofs={proofs} />
          ) : error ? (
            <LoadError level={3} title="The proofs couldn’t be loaded" query={{ error, refetch, isFetching }} />
          ) : (
            <SkeletonGroup label="Loading proofs...">
              <SkeletonText lines={2} />
            </SkeletonGroup>
          )}
        </CardBody>
      </section>
    </Card>
  )
}

const moment = dateFormat({ dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

function Proofs({ proofs }: { proofs: HuntProof[] }) {
  if (proofs.length === 0) return <p className="text-muted">No proofs yet.</p>
  return (
    <ul className="divide-y divide-line border-line border-t">
      {proofs.map(({ id, madeAt, contentHash, auditSequence, auditHash }) => (
        <li key={id} className="grid gap-1 py-3 text-sm">
          <p className="font-medium">{moment.format(new Date(madeAt))} UTC</p>
          <p className="font-mono text-muted wrap-anywhere">{contentHash}</p>
          <p className="text-muted">
            Log entry {formatNumber(auditSequence)}, <span className="font-mono wrap-anywhere">{auditHash.slice(0, 16)}…</span>
          </p>
        </li>
      ))}
    </ul>
  )
}

const proofsOptions = (huntId: string) => ({ ...callOptions(listHuntProofs, { params: { id: huntId } }), meta: othersChange })

/** A plain URL, so the browser downloads the response. */
const exportAddress = (huntId: string) => `/api/pheno-hunts/${huntId}/export.json`
const photoExportAddress = (huntId: string) => `/api/pheno-hunts/${huntId}/export.zip`
const namesQuery = (hasNames: boolean) => (hasNames ? '?names=true' : '')
const tableAddress = (huntId: string, table: ArchiveTable) => `/api/pheno-hunts/${huntId}/export/${table}.csv`
