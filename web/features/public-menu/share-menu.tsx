import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, ExternalLink, RefreshCw, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { closeMenuFeed, type MenuSharing, openMenuFeed, rotateMenuFeed, saveMenuSharing } from '../../../contracts/public-menu.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { Switch } from '../../ui/switch.tsx'
import { toast } from '../../ui/toast-store.ts'
import { CopyField } from './copy-field.tsx'
import { menuSharingOptions, setMenuSharing } from './public-menu.api.ts'

type Business = { id: string; slug: string; name: string }

/** Where a menu is shown besides the business's page: on its own site, to other programs, and by a code on the counter. */
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
      {!data && error && (
        <ErrorState
          level={3}
          title="What is shared could not be loaded"
          description={messageOf(error)}
          onRetry={() => void refetch()}
          pending={isFetching}
        />
      )}
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
        disabled={isPending}
        onChange={(event) => void change(() => call(saveMenuSharing, { params, body: { isEmbedOn: event.target.checked } }))}
        hint="Anybody can put your menu into a page. It asks visitors for their age before it shows a product."
      >
        On your website
      </Switch>
      {sharing.isEmbedOn && (
        <>
          <CopyField label="Paste this where the menu is to stand" value={sharing.snippet} rows={4} />
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
            <iframe title="Preview of the menu" src={pathOf(sharing.embedUrl)} className="h-96 w-full rounded-input border border-line" />
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
        <h3 className="font-text font-medium text-base">Feed for other programs</h3>
        <p className="text-muted text-sm">
          Your menu as JSON, for displays, apps and partners. Whoever has the address can read it, and has to ask for the age that stands in
          it.
        </p>
      </div>
      {feedUrl === null ? (
        <Button
          variant="secondary"
          className="justify-self-start"
          pending={isPending}
          onClick={() => void change(() => call(openMenuFeed, { params }))}
        >
          Make a feed
        </Button>
      ) : (
        <>
          <CopyField label="Address of the feed" value={feedUrl} rows={3} />
          <div className="flex flex-wrap gap-2">
            <Button variant="secondary" size="sm" onClick={() => setAsks('another')}>
              <RefreshCw aria-hidden="true" />
              New address
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
        title={asks === 'another' ? 'Give the feed a new address?' : 'Remove the feed?'}
        confirmText={asks === 'another' ? 'New address' : 'Remove feed'}
        pending={isPending}
        onConfirm={async () => {
          if (asks) await change(act[asks])
          setAsks(null)
        }}
      >
        <p>Everything that reads the present address stops working at once. It does not come back.</p>
      </ConfirmDialog>
    </Part>
  )
}

function QrCode({ business, sharing }: PartProps) {
  return (
    <Part>
      <div>
        <h3 className="font-text font-medium text-base">QR code</h3>
        <p className="text-muted text-sm">For the counter, the window and the packaging: it leads to your page, with menu and reviews.</p>
      </div>
      <img
        src={pathOf(sharing.qrSvgUrl)}
        alt={`QR code that leads to the page of ${business.name}`}
        width={160}
        height={160}
        className="size-40 rounded-input border border-line bg-white"
      />
      <div className="flex flex-wrap gap-2">
        <Button asChild variant="secondary" size="sm">
          <a href={pathOf(sharing.qrPdfUrl)} download={`${business.slug}-qr.pdf`}>
            <Download aria-hidden="true" />
            Card to print (PDF)
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

/** On the address that the reader is at: the public one may be another name of this server. */
const pathOf = (url: string): string => new URL(url).pathname

/** A change is shown when the server has made it. */
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
