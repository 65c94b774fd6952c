import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { listKeptPhenos, setBackupHolder } from '#contracts/calls/plants.ts'
import type { KeptPheno } from '#contracts/plants.endpoints.ts'
import { formatDay } from '#web/entities/hunts/hunt-words.ts'
import { standingLabels } from '#web/entities/plants/plant-words.ts'
import { keptPhenosOptions } from '#web/entities/plants/plants.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call, refreshCalls } from '#web/lib/call.ts'
import { counted, formatList } from '#web/lib/format.ts'
import { daysBetween } from '#web/lib/time-words.ts'
import { useToday } from '#web/ui/ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { cx } from '#web/ui/cx.ts'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { Field, FormError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { cardLink } from '#web/ui/link-styles.ts'
import { PagedList } from '#web/ui/paged-list.tsx'
import { SkeletonText } from '#web/ui/skeleton.tsx'

export function KeptPhenos() {
  const list = useInfiniteQuery(keptPhenosOptions)
  const today = useToday()
  const [asked, setAsked] = useState<KeptPheno | null>(null)
  if (list.data?.pages[0]?.items.length === 0 || (list.isPending && !list.data)) return null
  return (
    <section aria-labelledby="kept-phenos" className="grid gap-3">
      <h2 id="kept-phenos" className="text-xl">
        Keepers and mothers
      </h2>
      <PagedList
        list={list}
        loadingLabel="Loading keepers..."
        skeleton={<SkeletonText lines={2} />}
        failure="Your keepers couldn’t be loaded"
        cards="whole"
        empty={null}
      >
        {(all) => (
          <Card asChild>
            <ul className="divide-y divide-line">
              {all.map((pheno) => (
                <li key={pheno.genotypeId} className="relative flex items-start justify-between gap-3 px-5 py-3.5 hover:bg-sunk/60">
                  <div className="min-w-0">
                    <p className="font-semibold wrap-anywhere">
                      <Link
                        to="/pheno-hunt/$id/plants/$number"
                        params={{ id: pheno.huntId, number: String(pheno.number) }}
                        className={cardLink}
                      >
                        {nameOf(pheno)}
                      </Link>
                    </p>
                    <p className="text-muted text-sm wrap-anywhere">
                      {pheno.huntName}
                      {pheno.huntOwner && ` · ${pheno.huntOwner.name}`}
                    </p>
                    <p className="mt-0.5 text-sm">{keptWords(pheno, today)}</p>
                    {pheno.backupHolder !== '' && <p className="text-sm wrap-anywhere">Backup with {pheno.backupHolder}</p>}
                    {pheno.canEdit && (
                      <Button variant="quiet" onClick={() => setAsked(pheno)} className="relative z-1 -ml-4">
                        {pheno.backupHolder === '' ? 'Add a backup' : 'Change backup'}
                        <span className="sr-only"> of {nameOf(pheno)}</span>
                      </Button>
                    )}
                  </div>
                  <div className="flex shrink-0 flex-col items-end gap-1.5">
                    {pheno.standing && (
                      <Badge variant={pheno.standing === 'keep' ? 'leaf' : 'neutral'}>{standingLabels[pheno.standing]}</Badge>
                    )}
                    {pheno.livingCopies < 2 && (
                      <Badge variant="outline" className={cx(pheno.livingCopies === 0 && 'text-clay')}>
                        {pheno.livingCopies === 0 ? 'Lost' : 'One copy left'}
                      </Badge>
                    )}
                  </div>
                </li>
              ))}
            </ul>
          </Card>
        )}
      </PagedList>
      {asked && <BackupDialog pheno={asked} onOpenChange={() => setAsked(null)} />}
    </section>
  )
}

const nameOf = ({ number, label }: Pick<KeptPheno, 'number' | 'label'>): string => (label === '' ? `#${number}` : `#${number} ${label}`)

function BackupDialog({ pheno, onOpenChange }: { pheno: KeptPheno; onOpenChange: (open: boolean) => void }) {
  const client = useQueryClient()
  const formId = useId()
  const [backupHolder, setHolder] = useState(pheno.backupHolder)
  const save = useMutation({
    mutationFn: () => call(setBackupHolder, { params: { id: pheno.genotypeId }, body: { backupHolder: backupHolder.trim() } }),
    onSuccess: async () => {
      await refreshCalls(client, [listKeptPhenos])
      onOpenChange(false)
    },
  })
  return (
    <Dialog open onOpenChange={onOpenChange}>
      <DialogContent
        title={`Backup of ${nameOf(pheno)}`}
        actions={
          <>
            <DialogCancel />
            <Button type="submit" form={formId} pending={save.isPending} pendingText="Saving...">
              Save
            </Button>
          </>
        }
      >
        <form
          id={formId}
          onSubmit={(event) => {
            event.preventDefault()
            save.mutate()
          }}
          className="grid gap-4"
        >
          <Field label="Who else has a cutting?" optional hint="Only people who can edit this hunt can see this.">
            <Input value={backupHolder} maxLength={120} onChange={(event) => setHolder(event.target.value)} className="min-h-12" />
          </Field>
          <FormError>{save.error ? messageOf(save.error) : null}</FormError>
        </form>
      </DialogContent>
    </Dialog>
  )
}

type Kept = Pick<KeptPheno, 'number' | 'startedOn' | 'livingCopies' | 'motherCopies' | 'lastCutOn'>

/** "14 months old · 3 alive · Mother: #7-1 · Last cut Nov 2, 2026" */
export function keptWords({ number, startedOn, livingCopies, motherCopies, lastCutOn }: Kept, today: string): string {
  const mothers = motherCopies.map((copy) => (copy === 0 ? `#${number}` : `#${number}-${copy}`))
  return [
    startedOn === null ? '' : `${ageWords(startedOn, today)} old`,
    `${livingCopies} alive`,
    mothers.length === 0 ? '' : `${mothers.length === 1 ? 'Mother' : 'Mothers'}: ${formatList(mothers)}`,
    lastCutOn === null ? 'Never cut' : `Last cut ${formatDay(lastCutOn)}`,
  ]
    .filter((part) => part !== '')
    .join(' · ')
}

function ageWords(from: string, to: string): string {
  const days = Math.max(0, daysBetween(from, to))
  if (days < 14) return counted(days, 'day')
  if (days < 70) return counted(Math.floor(days / 7), 'week')
  const [began, now] = [new Date(from), new Date(to)]
  const isBefore = now.getUTCDate() < began.getUTCDate()
  const months = (now.getUTCFullYear() - began.getUTCFullYear()) * 12 + now.getUTCMonth() - began.getUTCMonth() - (isBefore ? 1 : 0)
  return months < 24 ? counted(months, 'month') : counted(Math.floor(months / 12), 'year')
}
