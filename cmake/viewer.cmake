# The page of reports goes into the library when it has been built (scripts/build-viewer, which make
# calls). It is looked for again at every build.
file(GLOB VIEWER_HTML CONFIGURE_DEPENDS viewer/dist/viewer.html)
if(VIEWER_HTML)
  set_source_files_properties(src/io/report/viewer.c PROPERTIES
    COMPILE_DEFINITIONS "TML_VIEWER_HTML=\"${VIEWER_HTML}\"" OBJECT_DEPENDS ${VIEWER_HTML})
else()
  message(STATUS "viewer/dist/viewer.html is not built: no reports (scripts/build-viewer)")
endif()

# The pages of studies, of fits and of optimisations are one file each and need no building.
set(STUDY_HTML ${CMAKE_CURRENT_SOURCE_DIR}/viewer/study/study.html)
set_source_files_properties(src/io/study/study_html.c PROPERTIES
  COMPILE_DEFINITIONS "TML_STUDY_HTML=\"${STUDY_HTML}\"" OBJECT_DEPENDS ${STUDY_HTML})
set(SEARCH_HTML ${CMAKE_CURRENT_SOURCE_DIR}/viewer/study/search.html)
set_source_files_properties(src/io/search/search_html.c PROPERTIES
  COMPILE_DEFINITIONS "TML_SEARCH_HTML=\"${SEARCH_HTML}\"" OBJECT_DEPENDS ${SEARCH_HTML})
