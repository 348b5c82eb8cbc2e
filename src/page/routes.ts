export function servePages(..._args: unknown[]): void {}
