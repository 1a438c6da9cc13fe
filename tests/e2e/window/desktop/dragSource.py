"""A small window from which the folders in the arguments are dragged: a program that nobody here wrote, as far as the app can tell."""
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402 (the versions come first)


def give(_widget, _context, selection, _info, _time):
    selection.set_uris([GLib.filename_to_uri(path) for path in sys.argv[1:]])


place = Gtk.EventBox()
place.add(Gtk.Label(label="Drag me"))
place.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY)
place.drag_source_add_uri_targets()
place.connect("drag-data-get", give)
place.connect("drag-end", lambda *_: print("ended", flush=True))
window = Gtk.Window(title="Drag source")
window.set_default_size(160, 80)
window.add(place)
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
