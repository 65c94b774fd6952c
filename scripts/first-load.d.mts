type Manifest = Record<string, { file: string; isEntry?: boolean; imports?: string[]; css?: string[] }>

export const scriptLimits: Record<'visitors' | 'signIn' | 'members', number>
export function filesByRoute(manifest: Manifest): Map<string, { scripts: string[]; styles: string[] }>
export function memberScripts(manifest: Manifest): Map<string, string[]>
