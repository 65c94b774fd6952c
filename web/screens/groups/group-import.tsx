import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FileUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { startMenuImport } from '#contracts/calls/menu-imports.ts'
import type { GroupedBusiness } from '#contracts/groups.endpoints.ts'
import type { MenuImport } from '#contracts/menu-imports.endpoints.ts'
import { FileInput } from '#web/entities/media/file-choice.tsx'
import { itemsHaveChanged, refreshImports } from '#web/entities/menus/menus.api.ts'
import { menuFileProblem, uploadMenuFile } from '#web/entities/menus/upload-menu-file.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { counted } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { FieldGroup, FormError } from '#web/ui/field.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { toast } from '#web/ui/toast-store.ts'
import { refreshGroups } from './groups.api.ts'

type Found = { shop: GroupedBusiness; entry: MenuImport | null; error: string | null }

type GroupImportProps = { shops: readonly GroupedBusiness[]; onClose: () => void }

/** Each business gets the rows that name it, or all rows if none name a business. */
export function GroupImport({ shops, onClose }: GroupImportProps) {
  const client = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(shops.map(({ id }) => id)))
  const [found, setFound] = useState<Found[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const picked = shops.filter(({ id }) => chosen.has(id))
  const uploading = useRef<AbortController>(null)
  useEffect(() => () => uploading.current?.abort(), [])

  const upload = useMutation({
    mutationFn: async (file: File) => {
      uploading.current = new AbortController()
      const { signal } = uploading.current
      const all: Found[] = []
      // One at a time, because the server reads only two files simultaneously.
      for (const shop of picked) {
        const one = await uploadMenuFile({ businessId: shop.id, file, signal }).then(
          (entry) => ({ shop, entry, error: entry.error }),
          (error: unknown) => ({ shop, entry: null, error: messageOf(error) }),
        )
        all.push(one)
      }
      return all
    },
    onSuccess: setFound,
  })
  const ready = found?.flatMap(({ shop, entry }) => (entry && isReady(entry) ? [{ shop, entry }] : [])) ?? []
  const start = useMutation({
    mutationFn: async () => {
      for (const { shop, entry } of ready) await call(startMenuImport, { params: { id: shop.id, importId: entry.id } })
    },
    onSuccess: () => {
      toast({
        title: `Importing into ${counted(ready.length, 'menu')}`,
        description: 'You can undo each import under “Import a file” in its shop’s menu.',
      })
      onClose()
    },
    onSettled: () => Promise.all([refreshImports(client), itemsHaveChanged(client), refreshGroups(client)]),
  })

  function take(file: File | undefined) {
    if (!file) return
    const wrong = menuFileProblem(file)
    setProblem(wrong)
    if (wrong === null) upload.mutate(file)
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title="Import a file into several menus"
        description="If a column names the shop (by name, city, street or license number), each menu gets its own rows. Otherwise, every menu gets the same items."
        size="md"
        actions={
          <>
            <DialogCancel />
            {found ? (
              <Button disabled={ready.length === 0} pending={start.isPending} pendingText="Starting..." onClick={() => start.mutate()}>
                Import into {counted(ready.length, 'menu')}
              </Button>
            ) : (
              <Button
                disabled={picked.length === 0}
                pending={upload.isPending}
                pendingText="Reading the file..."
                onClick={() => input.current?.click()}
              >
                <FileUp aria-hidden="true" />
                Choose file
              </Button>
            )}
          </>
        }
      >
        <div className="grid gap-4">
          <FileInput ref={input} accept=".csv,.tsv,.txt,.xlsx" label="Menu file" onFiles={([file]) => take(file)} />
          {found ? (
            <ul className="grid gap-3">
              {found.map((each) => (
                <FoundRow key={each.shop.id} found={each} />
              ))}
            </ul>
          ) : (
            <FieldGroup legend="Shops">
              {shops.map((shop) => (
                <Checkbox
                  key={shop.id}
                  checked={chosen.has(shop.id)}
                  aria-disabled={upload.isPending}
                  onChange={({ target }) =>
                    !upload.isPending &&
                    setChosen((before) => new Set(target.checked ? [...before, shop.id] : [...before].filter((id) => id !== shop.id)))
                  }
                >
                  {shop.label}
                </Checkbox>
              ))}
            </FieldGroup>
          )}
          {(problem ?? start.error) && <FormError>{problem ?? messageOf(start.error)}</FormError>}
        </div>
      </DialogContent>
    </Dialog>
  )
}

/** True if the import can start without anyone checking the columns. */
const isReady = ({ status, rowsTotal, rowsRefused, skipsWrongRows }: MenuImport) =>
  status === 'ready' && rowsTotal > rowsRefused && (rowsRefused === 0 || skipsWrongRows)

function FoundRow({ found: { shop, entry, error } }: { found: Found }) {
  return (
    <li className="rounded-input border border-line px-4 py-3">
      <p className="font-medium wrap-anywhere">{shop.label}</p>
      <p className="text-muted text-sm tabular-nums wrap-anywhere">{entry ? outcomeWords(entry) : error}</p>
      {entry && entry.status === 'ready' && (
        <Link to="/business-dashboard/menu/import" search={{ business: shop.slug, import: entry.id }} className={`${textLink} text-sm`}>
          {isReady(entry) ? 'Review' : 'Check the columns first'}
        </Link>
      )}
    </li>
  )
}

function outcomeWords({
  error,
  rowErrors,
  rowsTotal,
  rowsRefused,
  rowsElsewhere,
  itemsAdded,
  itemsChanged,
  itemsMissing,
}: MenuImport): string {
  if (error) return error
  if (rowsTotal === rowsRefused) return rowErrors[0]?.message ?? 'No rows can be imported.'
  const parts = [
    `${counted(rowsTotal, 'row')}`,
    `${itemsAdded} new`,
    `${itemsChanged} changed`,
    ...(itemsMissing > 0 ? [`${itemsMissing} out of stock`] : []),
    ...(rowsRefused > 0 ? [`${rowsRefused} rejected`] : []),
    ...(rowsElsewhere > 0 ? [`${rowsElsewhere} for other shops`] : []),
  ]
  return parts.join(' · ')
}
