/** Has the specified text. Shown while a screen's code loads. */
export function LoadingScreen() {
  return (
    <p role="status" className="grid min-h-[50vh] place-items-center text-muted">
      Loading...
    </p>
  )
}
