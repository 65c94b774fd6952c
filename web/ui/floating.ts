export const floatingClass =
  'z-50 rounded-card border border-line bg-raised text-ink shadow-lift data-[state=closed]:animate-unfade data-[state=open]:animate-appear'
