import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, ExternalLink, RefreshCw, Trash2 } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { closeMenuFeed, getMenuSharing, openMenuFeed, rotateMenuFeed, saveMenuSharing } from '#contracts/calls/public-menu.ts'
import { feedCacheMinutes } from '#contracts/limits.ts'
import type { MenuSharing } from '#contracts/public-menu.endpoints.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call, callOptions } from '#web/lib/call.ts'
import { possessive } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { CopyButton } from '#web/ui/copy-text.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { Field } from '#web/ui/field.tsx'
import { Textarea } from '#web/ui/input.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { toast } from '#web/ui/toast-store.ts'

type Business = { id: string; slug: string; name: string }

export function ShareMenu({ business }: { business: Business }) {
  const { data, error, refetch, isFetching } = useQuery(menuSharingOptions(business.id))
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 className="text-xl">Share your menu</h2>
      {!data && !error && (
        <SkeletonGroup label="Loading..." className="grid gap-4 lg:grid-cols-3">
          <Skeleton className="h-64 rounded-card" />
          <Skeleton className="h-64 rounded-card" />
          <Skeleton className="h-64 rounded-card" />
        </SkeletonGroup>
      )}
      {!data && error && <LoadError level={3} title="Your sharing options couldn’t be loaded" query={{ error, refetch, isFetching }} />}
      {data && (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-3">
          <Embed business={business} sharing={data} />
          <Feed business={business} sharing={data} />
          <QrCode business={business} sharing={data} />
        </div>
      )}
    </section>
  )
}

type PartProps = { business: Business; sharing: MenuSharing }

function Embed({ business, sharing }: PartProps) {
  const { change, isPending } = useChange(business.id)
  const [isPreviewed, setPreviewed] = useState(false)
  const params = { id: business.id }
  return (
    <Part>
      <Switch
        checked={sharing.isEmbedOn}
        aria-disabled={isPending}
        onChange={({ target }) => {
          const body = { isEmbedOn: target.checked }
          if (!isPending) void change(() => call(saveMenuSharing, { params, body }))
        }}
        hint="Anyone can embed your menu in a page. It asks visitors to confirm their age before showing products."
      >
        On your website
      </Switch>
      {sharing.isEmbedOn && (
        <>
          <CopyField label="Paste this where you want the menu to appear" value={sharing.snippet} rows={4} />
          <div className="flex flex-wrap gap-2">
            <Button variant="secondary" size="sm" onClick={() => setPreviewed(!isPreviewed)} aria-expanded={isPreviewed}>
              {isPreviewed ? 'Hide preview' : 'Preview'}
            </Button>
            <Button asChild variant="quiet" size="sm">
              <a href={pathOf(sharing.embedUrl)} target="_blank" rel="noopener">
                <ExternalLink aria-hidden="true" />
                Open
              </a>
            </Button>
          </div>
          {isPreviewed && (
            <iframe title="Menu preview" src={pathOf(sharing.embedUrl)} className="h-96 w-full rounded-input border border-line" />
          )}
        </>
      )}
    </Part>
  )
}

function Feed({ business, sharing }: PartProps) {
  const { change, isPending } = useChange(business.id)
  const [asks, setAsks] = useState<'another' | 'end' | null>(null)
  const params = { id: business.id }
  const { feedUrl } = sharing
  const act = { another: () => call(rotateMenuFeed, { params }), end: () => call(closeMenuFeed, { params }) }
  return (
    <Part>
      <div>
        <h3 className="font-text font-medium text-base">Menu feed (JSON)</h3>
        <p className="text-muted text-sm">
          For displays, apps and partners. Anyone with this link can read the feed. Anyone who shows it must enforce the age limit it
          states.
        </p>
      </div>
      {feedUrl === null ? (
        <Button
          variant="secondary"
          className="justify-self-start"
          pending={isPending}
          onClick={() => void change(() => call(openMenuFeed, { params }))}
        >
          Create feed
        </Button>
      ) : (
        <>
          <CopyField label="Feed link" value={feedUrl} rows={3} />
          <div className="flex flex-wrap gap-2">
            <Button variant="secondary" size="sm" onClick={() => setAsks('another')}>
              <RefreshCw aria-hidden="true" />
              Reset link
            </Button>
            <Button variant="quiet" size="sm" onClick={() => setAsks('end')}>
              <Trash2 aria-hidden="true" />
              Remove
            </Button>
          </div>
        </>
      )}
      <ConfirmDialog
        open={asks !== null}
        onOpenChange={(isOpen) => {
          if (!isOpen) setAsks(null)
        }}
        title={asks === 'another' ? 'Reset the feed link?' : 'Remove the feed?'}
        confirmText={asks === 'another' ? 'Reset link' : 'Remove feed'}
        pending={isPending}
        onConfirm={async () => {
          if (asks) await change(act[asks])
          setAsks(null)
        }}
      >
        <p>Everything that uses the current link will stop working within {feedCacheMinutes} minutes. The link can’t be restored.</p>
      </ConfirmDialog>
    </Part>
  )
}

function QrCode({ business, sharing }: PartProps) {
  return (
    <Part>
      <div>
        <h3 className="font-text font-medium text-base">QR code</h3>
        <p className="text-muted text-sm">For your counter, window and packaging. It opens your public menu, and no account is needed.</p>
      </div>
      <img
        src={pathOf(sharing.qrSvgUrl)}
        alt={`QR code for ${possessive(business.name)} menu`}
        width={160}
        height={160}
        className="size-40 rounded-input border border-line bg-white"
      />
      <div className="flex flex-wrap gap-2">
        <Button asChild variant="secondary" size="sm">
          <a href={pathOf(sharing.qrPdfUrl)} download={`${business.slug}-qr.pdf`}>
            <Download aria-hidden="true" />
            Printable card (PDF)
          </a>
        </Button>
        <Button asChild variant="quiet" size="sm">
          <a href={pathOf(sharing.qrSvgUrl)} download={`${business.slug}-qr.svg`}>
            <Download aria-hidden="true" />
            Code (SVG)
          </a>
        </Button>
      </div>
    </Part>
  )
}

const Part = ({ children }: { children: ReactNode }) => (
  <Card>
    <CardBody className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">{children}</CardBody>
  </Card>
)

/** Drops the public origin, because the page may be open at another host name. */
const pathOf = (url: string): string => new URL(url).pathname

function useChange(businessId: string) {
  const client = useQueryClient()
  const [isPending, setPending] = useState(false)
  async function change(act: () => Promise<MenuSharing>): Promise<void> {
    setPending(true)
    try {
      setMenuSharing(client, businessId, await act())
    } catch (error) {
      console.error(error)
      toast({ title: 'Error', description: messageOf(error), variant: 'destructive' })
    } finally {
      setPending(false)
    }
  }
  return { change, isPending }
}

function CopyField({ label, value, rows }: { label: string; value: string; rows: number }) {
  const text = useRef<HTMLTextAreaElement>(null)
  return (
    <div className="grid gap-2">
      <Field label={label}>
        <Textarea
          ref={text}
          readOnly
          value={value}
          rows={rows}
          spellCheck={false}
          onFocus={(event) => event.currentTarget.select()}
          className="text-sm"
        />
      </Field>
      <CopyButton variant="secondary" size="sm" className="justify-self-start" text={value} name="The text" shownIn={text} />
    </div>
  )
}

const menuSharingOptions = (businessId: string) => callOptions(getMenuSharing, { params: { id: businessId } })

const setMenuSharing = (client: QueryClient, businessId: string, sharing: MenuSharing): void => {
  client.setQueryData(menuSharingOptions(businessId).queryKey, sharing)
}
