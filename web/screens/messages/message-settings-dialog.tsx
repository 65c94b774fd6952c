import { MessageSettings } from '#web/entities/messages/message-settings.tsx'
import { Dialog, DialogContent } from '#web/ui/dialog.tsx'
import { PrivacyLine } from './privacy-line.tsx'

/** Who can message the viewer, and read receipts. */
export function MessageSettingsDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent size="md" title="Message settings">
        <div className="grid gap-6">
          <MessageSettings />
          <PrivacyLine />
        </div>
      </DialogContent>
    </Dialog>
  )
}
