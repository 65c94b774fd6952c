import { Bell, ChevronDown, Heart, LogOut, Settings, Trash2, UserRound } from 'lucide-react'
import { lazy, useState } from 'react'
import { type BusinessType, businessTypeLabels } from '#contracts/business-types.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Cover } from '#web/ui/cover/cover.tsx'
import { ConfirmDialog, Dialog, DialogCancel, DialogClose, DialogContent, DialogTrigger } from '#web/ui/dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { LazyMenu } from '#web/ui/lazy-overlays.tsx'
import { cardLink } from '#web/ui/link-styles.ts'
import { Menu, MenuContent, MenuItem, MenuLabel, MenuSeparator, MenuTrigger } from '#web/ui/menu.tsx'
import { Popover, PopoverContent, PopoverTrigger } from '#web/ui/popover.tsx'
import { SkeletonCard, SkeletonGroup, SkeletonRow, SkeletonText } from '#web/ui/skeleton.tsx'
import { Stars } from '#web/ui/stars.tsx'
import { ThemeSwitch } from '#web/ui/theme-switch.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { Controls, Forms } from './controls.tsx'
import { Foundations, Row, Specimen } from './foundations.tsx'

type Sample = { name: string; type: BusinessType; place: string; rating: number; count: number; verified: boolean }

const samples: Sample[] = [
  { name: 'Specimen Valley Farm', type: 'farm', place: 'Brighton, CO · 12 mi', rating: 4.84, count: 132, verified: true },
  { name: 'Sample Street Dispensary', type: 'dispensary', place: 'Denver, CO · 1 mi', rating: 4.65, count: 1418, verified: true },
  { name: 'Example Couriers', type: 'delivery', place: 'Denver, CO · 2 mi', rating: 3.2, count: 7, verified: false },
  {
    name: 'A Glass Shop with a Name That Takes Two Lines',
    type: 'glass_shop',
    place: 'Lakewood, CO · 6 mi',
    rating: 0,
    count: 0,
    verified: false,
  },
]

function Composition() {
  return (
    <Specimen title="Business cards">
      {() => (
        <ul className="grid gap-5 sm:grid-cols-2">
          {samples.map((sample) => (
            <li key={sample.name} className="grid">
              <BusinessSample {...sample} />
            </li>
          ))}
        </ul>
      )}
    </Specimen>
  )
}

function BusinessSample({ name, type, place, rating, count, verified }: Sample) {
  const [favorite, setFavorite] = useState(false)
  return (
    <Card interactive asChild>
      <article>
        <Cover id={name} type={type} />
        <IconButton
          variant="floating"
          label={`Add ${name} to favorites`}
          aria-pressed={favorite}
          onClick={() => setFavorite(!favorite)}
          className="absolute top-3 right-3 z-1"
        >
          <Heart />
        </IconButton>
        <div className="p-4 pt-3.5">
          <h4 className="font-display text-lg/6 tracking-[-0.012em]">
            <a href="#together" className={cardLink}>
              {name}
            </a>
          </h4>
          <p className="mt-0.5 text-muted text-sm">
            {businessTypeLabels[type]} · {place}
          </p>
          <div className="mt-3 flex flex-wrap items-center justify-between gap-2">
            <Stars rating={rating} count={count} />
            {verified ? <Badge variant="verified">Verified</Badge> : <Badge>Unclaimed</Badge>}
          </div>
        </div>
      </article>
    </Card>
  )
}

const parts = [
  { id: 'together', title: 'Together', Part: Composition },
  { id: 'foundations', title: 'Foundations', Part: Foundations },
  { id: 'controls', title: 'Controls', Part: Controls },
  { id: 'forms', title: 'Forms', Part: Forms },
  { id: 'overlays', title: 'Overlays', Part: Overlays },
  { id: 'states', title: 'States', Part: States },
]

/** Every primitive in every state, in light and dark. Not served in production. */
export function Showcase() {
  return (
    <div className="mx-auto grid max-w-[90rem] gap-12 px-4 py-8 sm:px-6">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="text-3xl">Design system</h1>
          <p className="mt-1 text-muted">
            The components that make up every screen. These are samples, and no business or person here is real.
          </p>
        </div>
        <ThemeSwitch />
      </header>
      <nav aria-label="Parts" className="-mt-6 flex flex-wrap gap-x-5">
        {parts.map(({ id, title }) => (
          <a
            key={id}
            href={`#${id}`}
            className="inline-flex min-h-11 items-center font-medium text-leaf underline-offset-3 hover:underline"
          >
            {title}
          </a>
        ))}
      </nav>
      {parts.map(({ id, title, Part }) => (
        <section key={id} id={id} aria-labelledby={`${id}-title`} className="grid gap-8">
          <h2 id={`${id}-title`} className="text-2xl">
            {title}
          </h2>
          <Part />
        </section>
      ))}
    </div>
  )
}

function States() {
  return (
    <>
      <Specimen title="Loading" note="In the shape of the content that’s loading.">
        {() => (
          <div className="grid gap-5">
            <SkeletonGroup className="grid gap-4 sm:grid-cols-2">
              <SkeletonCard />
              <SkeletonCard />
            </SkeletonGroup>
            <SkeletonGroup label="Loading notifications">
              <SkeletonRow />
              <SkeletonRow />
            </SkeletonGroup>
            <SkeletonGroup label="Loading text">
              <SkeletonText lines={3} />
            </SkeletonGroup>
          </div>
        )}
      </Specimen>
      <Specimen title="Empty">
        {() => (
          <EmptyState level={3} title="No businesses found" description="Nothing by that name within 25 miles of Denver.">
            <Button>Search all of Colorado</Button>
            <Button variant="secondary">Clear filters</Button>
          </EmptyState>
        )}
      </Specimen>
      <Specimen title="Error">
        {() => (
          <Card>
            <ErrorState
              level={3}
              title="The list couldn’t be loaded"
              description="The connection was lost. Your text is safe."
              onRetry={() => undefined}
            />
          </Card>
        )}
      </Specimen>
    </>
  )
}

const loadSampleMenu = () => import('./sample-menu.tsx')
const SampleMenu = lazy(loadSampleMenu)

/** Overlays use the page's theme rather than the sample's. */
function Overlays() {
  return (
    <>
      <Specimen title="Dialogs" note="Undo instead of “Are you sure?”, except for what can’t be undone.">
        {() => <Dialogs />}
      </Specimen>
      <Specimen title="Menu, popover">
        {() => (
          <Row>
            <Menu>
              <MenuTrigger asChild>
                <Button variant="secondary">
                  Account <ChevronDown aria-hidden="true" />
                </Button>
              </MenuTrigger>
              <MenuContent>
                <MenuLabel>Ana Gómez</MenuLabel>
                <MenuItem asChild>
                  <a href="#overlays">
                    <UserRound aria-hidden="true" /> Profile
                  </a>
                </MenuItem>
                <MenuItem>
                  <Settings aria-hidden="true" /> Settings
                </MenuItem>
                <MenuItem disabled>
                  <LogOut aria-hidden="true" /> Sign out
                </MenuItem>
                <MenuSeparator />
                <MenuItem danger>
                  <Trash2 aria-hidden="true" /> Delete account
                </MenuItem>
              </MenuContent>
            </Menu>
            <LazyMenu menu={SampleMenu} load={loadSampleMenu}>
              <IconButton label="Notifications, loaded on demand" count={2}>
                <Bell />
              </IconButton>
            </LazyMenu>
            <Popover>
              <PopoverTrigger asChild>
                <Button variant="secondary">Popover</Button>
              </PopoverTrigger>
              <PopoverContent aria-label="About this number">
                <p className="text-sm">The average of every review, always exact. Plans don’t change it.</p>
              </PopoverContent>
            </Popover>
          </Row>
        )}
      </Specimen>
      <Specimen title="Toasts" note="One at a time, for five seconds. F8 moves focus to a toast. Swipe right to dismiss it.">
        {() => (
          <Row>
            <Button variant="secondary" onClick={() => toast({ title: 'Added to favorites' })}>
              Default
            </Button>
            <Button
              variant="secondary"
              onClick={() => toast({ title: 'Error', description: 'Failed to update favorite status', variant: 'destructive' })}
            >
              Destructive
            </Button>
            <Button
              variant="secondary"
              onClick={() =>
                toast({
                  title: 'Removed from favorites',
                  action: { label: 'Undo', onClick: () => toast({ title: 'Added to favorites' }) },
                })
              }
            >
              With undo
            </Button>
          </Row>
        )}
      </Specimen>
    </>
  )
}

function Dialogs() {
  const [asking, setAsking] = useState(false)
  return (
    <Row>
      <Dialog>
        <DialogTrigger asChild>
          <Button variant="secondary">New community</Button>
        </DialogTrigger>
        <DialogContent
          title="New community"
          description="A place for people who grow, cook or collect."
          actions={
            <>
              <DialogCancel />
              <DialogClose asChild>
                <Button>Create</Button>
              </DialogClose>
            </>
          }
        >
          <div className="grid gap-4">
            <Field label="Name">
              <Input />
            </Field>
            <Field label="Rules" optional>
              <Input />
            </Field>
          </div>
        </DialogContent>
      </Dialog>
      <Dialog>
        <DialogTrigger asChild>
          <Button variant="secondary">Long text</Button>
        </DialogTrigger>
        <DialogContent title="Community guidelines" size="md">
          <div className="grid gap-4">
            {Array.from({ length: 18 }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: every paragraph is the same
              <p key={index}>Describe what you saw and tasted yourself. Name the business, never a person. What you post remains yours.</p>
            ))}
          </div>
        </DialogContent>
      </Dialog>
      <Button variant="secondary" onClick={() => setAsking(true)}>
        Delete post
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Delete “Summer harvest”?"
        confirmText="Delete post"
        onConfirm={() => setAsking(false)}
      >
        This also deletes its 12 comments. You can’t undo this.
      </ConfirmDialog>
    </Row>
  )
}
