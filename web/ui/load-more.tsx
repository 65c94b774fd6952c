import { Button } from './button.tsx'

type LoadMoreProps = { onClick: () => void; pending?: boolean | undefined; text?: string | undefined; pendingText?: string | undefined }

/** The foot of a list that goes on. Render it only while there is more. */
export function LoadMore({ onClick, pending, text = 'Load More', pendingText = 'Loading...' }: LoadMoreProps) {
  return (
    <div className="flex justify-center pt-6">
      <Button variant="secondary" onClick={onClick} pending={pending} pendingText={pendingText}>
        {text}
      </Button>
    </div>
  )
}
