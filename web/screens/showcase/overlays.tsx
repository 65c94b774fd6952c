import { Bell, ChevronDown, LogOut, Settings, Trash2, UserRound } from 'lucide-react'
import { lazy, useState } from 'react'
import { Button, IconButton } from '#web/ui/button.tsx'
import { ConfirmDialog, Dialog, DialogCancel, DialogClose, DialogContent, DialogTrigger } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { LazyMenu } from '#web/ui/lazy-overlays.tsx'
import { Menu, MenuContent, MenuItem, MenuLabel, MenuSeparator, MenuTrigger } from '#web/ui/menu.tsx'
import { Popover, PopoverContent, PopoverTrigger } from '#web/ui/popover.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { Row, Specimen } from './specimen.tsx'

const loadSampleMenu = () => import('./sample-menu.tsx')
const SampleMenu = lazy(loadSampleMenu)

/** Overlays use the page's theme rather than the sample's: use the switch at the top. */
export function Overlays() {
  return (
    <>
      <Specimen title="Dialogs" note="Undo instead of “are you sure”, except where nothing can be undone.">
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
      <Specimen title="Toasts" note="One at a time, five seconds. F8 moves focus there. Swipe right to dismiss.">
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
          description="A place for people who grow, cook or collect alike."
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
              // biome-ignore lint/suspicious/noArrayIndexKey: the same paragraph over and over
              <p key={index}>Describe what you saw and tasted yourself. Name the place, never a person. What you post stays yours.</p>
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
