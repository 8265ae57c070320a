declare const __VERSION__: string
/// <reference types="vite/client" />
