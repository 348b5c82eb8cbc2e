/** The style of the widget and the launcher, which reaches nothing else on the page. */
export const css = `:host{all:initial!important;display:block!important}
  .all{--card:#fff;--text:#1a1d21;--soft:#5b6570;--line:#d9dee3;color-scheme:light}
  .all.dark{--card:#1d2126;--text:#eef1f4;--soft:#a9b3bd;--line:#3a424b;color-scheme:dark}
  *{box-sizing:border-box}
  .all{font:400 15px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;color:var(--text)}
  .card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:16px;max-width:420px;text-align:start}
  .eyebrow{margin:0 0 2px;font-size:12px;letter-spacing:.06em;text-transform:uppercase;color:var(--soft)}
  h2{margin:0 0 8px;font-size:16px;font-weight:650;line-height:1.3}
  .state{display:flex;gap:8px;align-items:center;margin:0;font-weight:550}
  svg{flex:none;width:18px;height:18px}
  ul{list-style:none;margin:12px 0 0;padding:0;border-top:1px solid var(--line)}
  li{border-bottom:1px solid var(--line)}
  li a{display:flex;gap:8px;align-items:flex-start;padding:10px 0;color:inherit;text-decoration:none}
  li a:hover b{text-decoration:underline}
  li svg{margin-top:2px}
  b{display:block;font-weight:550;overflow-wrap:anywhere}
  small{font-size:13px;color:var(--soft)}
  .more{display:inline-block;margin-top:12px;font-size:14px;color:inherit}
  .calm{margin:10px 0 0;color:var(--soft)}
  :focus-visible{outline:3px solid #3b82f6;outline-offset:2px;border-radius:6px}
  .launcher{position:fixed;z-index:2147483000;display:flex;flex-direction:column;gap:10px}
  .bottom_right{right:20px;bottom:20px;align-items:flex-end;flex-direction:column-reverse}
  .bottom_left{left:20px;bottom:20px;align-items:flex-start;flex-direction:column-reverse}
  .top_right{right:20px;top:20px;align-items:flex-end}
  .top_left{left:20px;top:20px;align-items:flex-start}
  .button{display:flex;gap:8px;align-items:center;min-height:44px;min-width:44px;max-width:min(340px,calc(100vw - 40px));justify-content:center;padding:10px 16px;border:0;border-radius:999px;background:var(--button);color:var(--ink);font:inherit;font-weight:600;cursor:pointer;box-shadow:0 2px 10px rgb(0 0 0/.22);touch-action:manipulation}
  .button.icon{padding:10px}
  .button.movable{touch-action:none}
  .button span{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
  .panel{width:min(360px,calc(100vw - 40px));max-height:min(480px,calc(100vh - 110px));overflow:auto;box-shadow:0 8px 30px rgb(0 0 0/.24)}
  .panel[hidden]{display:none}
  .top{display:flex;gap:8px;justify-content:space-between;align-items:flex-start}
  .close{flex:none;border:0;background:none;color:var(--soft);font:inherit;font-size:20px;line-height:1;padding:2px 6px;cursor:pointer}
  @media (forced-colors:active){.button,.card{border:1px solid}}
  @media print{.launcher{display:none}}`
